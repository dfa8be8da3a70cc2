import { documented } from '../../../core/documented.ts'
import { integer, type Setting, secret } from '../../../core/settings/kinds.ts'
import type { SettingRefusal } from '../../../core/settings/resolve.ts'
import type { Secret } from '../../../core/settings/secret.ts'

/** The settings of the feature. */
export const natsSettings: {
  readonly 'cluster.nats_url': Setting<Secret | null>
  readonly 'cluster.replicas': Setting<number>
} = {
  'cluster.replicas': integer({
    default: 1,
    min: 1,
    max: 5,
    summary: documented('Servers of NATS that each keep the runs; more than one needs a NATS of several servers.'),
  }),
  'cluster.nats_url': secret({
    summary: documented(
      'Where NATS is: nats://user:password@host:4222, several servers of one cluster separated by commas; tls:// for TLS.',
    ),
  }),
}

/** Largest message of a node, with what goes beside an event; the server must take it. */
export const MIN_PAYLOAD = 851_968

/** Largest event of an entity stream that fits into it, and the largest batch of events of a run. */
export const MAX_BATCH_BYTES = 786_432

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
  if (typeof maxEventBytes === 'number' && maxEventBytes > MAX_BATCH_BYTES) {
    const message = `more than the ${MAX_BATCH_BYTES} bytes that nodes send each other in one message`
    refusals.push({ key: 'realtime.max_event_bytes', message, hint: `Set it to ${MAX_BATCH_BYTES} or less.` })
  }
  return refusals
}
