# The service as an image: docker build --tag waybridge:0.3.0 .
# How to run it: docs/deploy.md. Its layers above the base have 39 MB compressed.
ARG NODE=24

FROM node:${NODE}-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY command ./command
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm pack
WORKDIR /opt/waybridge
# npm makes the program of a package executable where it installs it; tar does not.
RUN tar -xzf /src/waybridge-*.tgz --strip-components=1 && chmod +x build/bundle/waybridge.js
# The lock gives the packages that the program does not contain the versions that are tested, from the cache of npm ci.
COPY package-lock.json ./
RUN npm install --offline --omit=dev --ignore-scripts --no-audit --no-fund && node build/bundle/store-code.js

FROM node:${NODE}-bookworm-slim
COPY --from=build /opt/waybridge /opt/waybridge
RUN ln -s /opt/waybridge/build/bundle/waybridge.js /usr/local/bin/waybridge \
    && install --directory --mode=0700 --owner=1000 --group=1000 /data /backups
ENV HOST=0.0.0.0 PORT=8443 DATA_DIR=/data
USER 1000:1000
# The rest of the file system may be read-only, with a writable /tmp.
VOLUME ["/data", "/backups"]
EXPOSE 8443
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "--eval", "require('https').get({ port: process.env.PORT, path: '/readyz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["waybridge"]
CMD ["serve", "--no-demo"]
