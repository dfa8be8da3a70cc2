/** The proxies of docs/examples/deploy/, started as the packages of Debian start them. */
import type { ProxySetup } from './proxy-rig.ts'

/** nginx; the default site of Debian has port 80 alone and stays. */
export const nginx: ProxySetup = { recipe: 'nginx.conf', command: "nginx -g 'daemon off;'", signal: 'SIGQUIT' }

/** Apache httpd, with the commands in the first lines of the recipe. */
export const apache: ProxySetup = {
  recipe: 'apache.conf',
  prepare: 'a2enmod ssl proxy_http headers http2 && a2ensite svc && . /etc/apache2/envvars',
  command: 'apache2 -DFOREGROUND',
  signal: 'SIGTERM',
  folders: ['/run/apache2'],
}

/** Caddy. */
export const caddy: ProxySetup = {
  recipe: 'Caddyfile',
  command: 'caddy run --config /etc/caddy/Caddyfile',
  signal: 'SIGTERM',
}

/** HAProxy. */
export const haproxy: ProxySetup = {
  recipe: 'haproxy.cfg',
  command: 'haproxy -db -f /etc/haproxy/haproxy.cfg',
  signal: 'SIGTERM',
  folders: ['/run/haproxy'],
}

/**
 * Traefik. Debian has no package of it. The resolver of certificates that the recipe names is in its static
 * configuration, not here.
 */
export const traefik: ProxySetup = {
  recipe: 'traefik.yaml',
  prepare: `printf '%s' '{"tls":{"certificates":[{"certFile":"/etc/ssl/svc.example.crt","keyFile":"/etc/ssl/svc.example.key"}]}}' >/etc/traefik/dynamic/own.yaml`,
  command: 'traefik --entryPoints.websecure.address=:443 --providers.file.directory=/etc/traefik/dynamic',
  signal: 'SIGTERM',
}
