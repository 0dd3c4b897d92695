/** The source of the app, which the front page shows. */
export { default as appSource } from './app.js?raw';
