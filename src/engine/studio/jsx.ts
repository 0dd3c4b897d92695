/** What the tags of the studio are compiled to. The bundler adds it to each file. */
export { Fragment, h } from 'preact';
