import { documented } from '../../../core/documented.ts'
import { type Setting, secret } from '../../../core/settings/kinds.ts'
import type { SettingRefusal } from '../../../core/settings/resolve.ts'
import type { Secret } from '../../../core/settings/secret.ts'

/** The settings of the feature. */
export const natsSettings: { readonly 'cluster.nats_url': Setting<Secret | null> } = {
  'cluster.nats_url': secret({
    summary: documented(
      'Where NATS is: nats://user:password@host:4222, several servers of one cluster separated by commas; tls:// for TLS.',
    ),
  }),
}

/** Largest message of a node, with what goes beside an event; the server must take it. */
export const MIN_PAYLOAD = 851_968

/** Largest event that fits into it. */
const MAX_EVENT_BYTES = 786_432

/** How a server of NATS is reached. */
export interface NatsAddress {
  readonly servers: string[]
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  readonly tls?: Record<string, never>
}

/** Reads the address; null where it is none. */
export function readAddress(text: string): NatsAddress | null {
  const urls = text
    .split(',')
    .map((one) => (/^(?:nats|tls):\/\/[^/]+\/?$/.test(one.trim()) ? URL.parse(one.trim()) : null))
  const [first] = urls
  if (first === null || first === undefined || urls.some((url) => url === null || url.hostname === '')) return null
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)]
  return {
    servers: urls.map((url) => `${url!.hostname}:${url!.port || '4222'}`),
    ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
    ...(first.protocol === 'tls:' && { tls: {} }),
  }
}

/** What is wrong with the settings; `maxEventBytes` is the largest event of the entity streams. */
export function refuseNatsSettings(url: Secret | null, maxEventBytes: unknown): readonly SettingRefusal[] {
  const refusals: SettingRefusal[] = []
  if (url === null || readAddress(url.reveal()) === null) {
    const message = url === null ? 'not set' : 'not a nats:// or tls:// URL with a host'
    refusals.push({ key: 'cluster.nats_url', message, hint: 'Set SVC_CLUSTER__NATS_URL to nats://host:4222.' })
  }
  if (typeof maxEventBytes === 'number' && maxEventBytes > MAX_EVENT_BYTES) {
    const message = `more than the ${MAX_EVENT_BYTES} bytes that nodes send each other in one message`
    refusals.push({ key: 'realtime.max_event_bytes', message, hint: `Set it to ${MAX_EVENT_BYTES} or less.` })
  }
  return refusals
}
