# syntax=docker/dockerfile:1
# `mailflow serve` with its stores. Build: docker build -t mailflow .

FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp
WORKDIR /app
RUN npm init -y > /dev/null \
  && npm install --omit=dev --ignore-scripts /tmp/mailflow-*.tgz \
     @electric-sql/pglite@0.5.16 kysely@0.28.18 pg@8.23.1 pg-boss@10.4.2

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# HTTP, mail for the domains, mail of credentials
EXPOSE 8025 2525 2587
HEALTHCHECK --interval=10s --timeout=4s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8025/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Ends by SIGTERM: running deliveries end first, the others wait in the store.
ENTRYPOINT ["node", "node_modules/mailflow/dist/cli.js", "serve", "--host", "0.0.0.0", "--log", "info"]
CMD ["--data", "/data"]
