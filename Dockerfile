# An image with one executable of a profile. docs/containers.md says how to run it.
ARG PROFILE=server-full

FROM node:22-bookworm-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils make
WORKDIR /src
COPY . .
ARG PROFILE
# The commit for svc build-info: .git is not copied. docker build --build-arg SVC_COMMIT=$(git rev-parse HEAD)
ARG SVC_COMMIT=unknown
RUN make binary PROFILE=$PROFILE && cp dist/$PROFILE/svc /svc && mkdir /state

# The C and C++ libraries of Debian 12, certificates, and neither a shell nor a package manager.
FROM gcr.io/distroless/cc-debian12:nonroot AS image
COPY --from=build /svc /svc
COPY --from=build --chown=65532:65532 --chmod=0700 /state /var/lib/svc
USER 65532:65532
# The root file system may be read-only, because the service writes only to the volume. Native addons are unpacked there too, loaded
# at the start and removed, because Docker mounts a tmpfs with noexec.
ENV SVC_SERVER__HOST=0.0.0.0 \
    TMPDIR=/var/lib/svc
VOLUME /var/lib/svc
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["/svc", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/svc"]

# The settings of each profile: a service does not start with a variable of a feature that its profile lacks. A profile of your own
# takes the stage of the profile that it extends: docker build --build-arg PROFILE=own --target image-server-full
FROM image AS image-minimal

FROM image AS image-server-cluster
ENV SVC_STORAGE__DIR=/var/lib/svc/state

FROM image-server-cluster AS image-server-full
ENV SVC_SECURITY__KEY_STORE=sqlite \
    SVC_REALTIME__RUN_STORE=sqlite

FROM image-${PROFILE}
