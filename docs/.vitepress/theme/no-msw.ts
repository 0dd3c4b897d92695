/** In place of MSW for Node.js, which the build for Node.js loads only to intercept requests. */
export {};
