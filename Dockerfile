# One image for every process: the API by default, the projector and the commands (`alcada …`) by the command they are
# given. A release passes the base image with its digest (docs/deploy.md).
ARG NODE_IMAGE=node:24.21.0-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-progress
COPY nest-cli.json ./
COPY build build
COPY apps apps
COPY libs libs
# The build itself, where `dist` is a link to it.
RUN npm run --silent build && npm prune --omit=dev --no-progress && cp -RL dist program && chmod +x program/apps/cli/src/main.js

FROM ${NODE_IMAGE}
# Production: it refuses to start on a published secret, so a container without a configuration ends with code 78.
# 0.0.0.0 inside the container: who may reach it is said where its port is published.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# The program belongs to root and runs as node (1000): it cannot change itself. Its data are for it alone.
RUN install -d -o 1000 -g 1000 -m 700 /data && ln -s /app/dist/apps/cli/src/main.js /usr/local/bin/alcada
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/program dist
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/apps/api/src/main.js"]
