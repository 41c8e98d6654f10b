# The image of `countersign serve`. docs/operations/deploying.md says how to use it.

FROM node:24.21.0-trixie-slim AS build
WORKDIR /build
# The dependencies are a layer of their own, so that a change of the sources does not download them again.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npx --yes --loglevel=error pnpm@12.21.0 fetch
COPY . .
RUN npx --yes --loglevel=error pnpm@12.21.0 install --prefer-offline --frozen-lockfile \
 && npm run build \
 && npx --yes --loglevel=error pnpm@12.21.0 --filter @countersign/cli deploy --prod --prefer-offline /out/app \
 && cp deploy/container/check-health.mjs /out/app/ \
 && node tools/run.mjs contents /out/app \
 && mkdir /out/data

# The last stage has glibc, libstdc++ and certificates, but no shell and no package manager.
FROM gcr.io/distroless/cc-debian13:nonroot
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /out/app /app
# 65532 is the user `nonroot` of the base image. A new volume takes the owner of this folder.
COPY --from=build --chown=65532:65532 /out/data /data
ENV NODE_ENV=production \
    COUNTERSIGN_HOST=0.0.0.0 \
    COUNTERSIGN_DATABASE_URL=sqlite:/data/countersign.db
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 4000
# Docker Swarm and Amazon ECS replace unhealthy containers. So the check does not depend on the database.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/usr/local/bin/node", "/app/check-health.mjs"]
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/bin.js"]
CMD ["serve"]
