# The image of forestall-webhook: the static binary that make has built, and a user
# without rights.
#
#   make static ARCH=amd64 && docker build --platform linux/amd64 .
#
# There is nothing to trust but the API server, whose CA comes with the service account, so
# there are no public certificate authorities in it.
FROM scratch
ARG TARGETARCH
COPY --chmod=0755 bin/linux-${TARGETARCH}/forestall-webhook /forestall-webhook
# A number, so that runAsNonRoot can be checked without reading /etc/passwd.
USER 65532:65532
ENTRYPOINT ["/forestall-webhook"]
