# Builds the package, then copies what it needs at run time into an empty image: no shell, no package manager.
FROM node:24 AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack --pack-destination /tmp
RUN mkdir -p /image/app /image/etc \
  && tar -xzf /tmp/backlot-*.tgz -C /image/app --strip-components=1 --exclude='*.d.ts' package/package.json package/dist/cli package/dist/chunks package/dist/pages package/dist/define.js package/dist/THIRD-PARTY-LICENSES \
  # The dependency, and the client for --store redis://…
  && mkdir /image/app/node_modules \
  && cp -r node_modules/zod node_modules/redis node_modules/@redis /image/app/node_modules/ \
  && find /image/app/node_modules -type f ! -name '*.js' ! -name package.json ! -name LICENSE -delete \
  && strip -o /tmp/node "$(readlink -f "$(command -v node)")" \
  && install -D /tmp/node /image/usr/local/bin/node \
  && ldd /tmp/node | grep -o '/[^ )]*' | xargs -I '{}' cp -L --parents '{}' /image \
  && echo 'node:x:1000:1000::/:/none' >/image/etc/passwd

FROM scratch
COPY --from=build /image/ /
ENV NODE_ENV=production
USER 1000:1000
EXPOSE 4000
# The file system may be read-only: `docker run --read-only -p 4000:4000 backlot`
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["/usr/local/bin/node", "-e", "fetch('http://127.0.0.1:4000/_backlot/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js", "--host", "0.0.0.0"]
CMD ["--demo", "--today"]
