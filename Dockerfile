# Bots in a container: of a clone, or of a folder that `cornerman init` made. Built where Docker is; journals live in the volume.
FROM node:24-slim
WORKDIR /bots
COPY . .
# The image has its Node: the one that comes as a package is not needed beside it.
RUN npm install --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && mkdir /data && chown node /data
USER node
VOLUME /data
# Health is asked for from within, where the page needs no token.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8788/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself: npm ends at once at the SIGTERM of `docker stop`, and the bots with it.
CMD ["node", "--v8-pool-size=0", "src/cli/cornerman.js", "start", "--data-dir", "/data"]
