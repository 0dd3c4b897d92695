# Builds the package, then copies what it needs at run time into a small image.
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack --pack-destination /tmp \
  && mkdir /app && tar -xzf /tmp/backlot-*.tgz -C /app --strip-components=1

FROM node:24-alpine
ENV NODE_ENV=production
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/dist/cli /app/dist/cli
# The client for --store redis://…
COPY --from=build /build/node_modules/redis /app/node_modules/redis
COPY --from=build /build/node_modules/@redis /app/node_modules/@redis
USER node
EXPOSE 4000
# The file system may be read-only: `docker run --read-only -p 4000:4000 backlot`
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/_backlot/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli/main.js", "--host", "0.0.0.0"]
CMD ["--demo", "--today"]
