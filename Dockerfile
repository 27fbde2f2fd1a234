# The program, for every process of the distributed way: the command says which. Also `docker run` of the API alone, with
# its data in /data.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-progress
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY apps apps
COPY libs libs
RUN npm run --silent build && npm prune --omit=dev --no-progress

FROM node:20.20.2-bookworm-slim
# 0.0.0.0 inside the container: who may reach it is said where its port is published.
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# The program belongs to root and runs as node: it cannot change itself.
RUN install -d -o node -g node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/apps/api/src/main.js"]
