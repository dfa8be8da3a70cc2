/**
 * Requests to the API of JetStream over a plain connection (NATS ADR-1, ADR-8). The client's own library for JetStream
 * creates consumers that servers before 2.10 refuse.
 */
import { createInbox, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node'

/** How long a request may take, in milliseconds. */
export const ASK_MS = 2_000

/** How long the answers of all servers are collected, in milliseconds. */
const COLLECT_MS = 500

/** An error that JetStream answered with. */
export class JetStreamError extends Error {
  /** The `err_code` of JetStream. */
  readonly number: number

  constructor(number: number, description: string) {
    super(`JetStream: ${description}`)
    this.number = number
  }
}

/** The values of `err_code` that are handled. */
export const refusal = {
  noMessage: 10_037,
  wrongSequence: 10_071,
  /** A message with the same id is on its way to the copies (since 2.11). */
  inProcess: 10_158,
  streamDiffers: 10_058,
  /** The stream or its disk is full. */
  storeFailed: 10_077,
} as const

interface Answer {
  readonly error?: { readonly code: number; readonly err_code?: number; readonly description: string }
}

/** What a stream says of a message that it took. */
export interface Acknowledgement {
  readonly seq: number
  /** Whether `seq` is of an earlier message with the same id, and this one was not written. */
  readonly duplicate?: boolean
}

/**
 * Headers of a message that is written only if `expected` is the newest position of its subject; 0 stands for none.
 *
 * A stream with several copies compares `expected` before it replicates, so two messages that are sent at once can both
 * pass. It compares ids when it applies messages, in one order on all copies. So the id is the position: the second
 * message for a position is a duplicate. If nothing is expected, the id is `firstId`; a subject that was emptied begins
 * anew with it.
 */
export function expecting(subject: string, expected: number, firstId: string): MsgHdrs {
  const head = headers()
  head.set('Nats-Expected-Last-Subject-Sequence', String(expected))
  head.set('Nats-Msg-Id', expected === 0 ? firstId : `${subject}:${expected}`)
  return head
}

/** Reads an answer. @throws JetStreamError if it is an error */
export function readAnswer<T>(message: Msg): T {
  const answer = message.json<T & Answer>()
  if (answer.error !== undefined) throw new JetStreamError(answer.error.err_code ?? 0, answer.error.description)
  return answer
}

/** Sends a request to the API. */
async function ask<T>(nats: NatsConnection, api: string, body: unknown = null): Promise<T> {
  const payload = body === null ? '' : JSON.stringify(body)
  return readAnswer(await nats.request(`$JS.API.${api}`, payload, { timeout: ASK_MS }))
}

/**
 * Sends a request to the API and collects the answers of every server that acts as leader of the stream. For some
 * seconds there can be two: a new leader and the one that it replaced.
 */
function askAll(nats: NatsConnection, api: string, body: unknown = null): Promise<AsyncIterable<Msg>> {
  const payload = body === null ? '' : JSON.stringify(body)
  return nats.requestMany(`$JS.API.${api}`, payload, { strategy: 'timer', maxWait: COLLECT_MS })
}

/** The configuration of a stream. */
export interface StreamConfig {
  readonly name: string
  readonly subjects: readonly string[]
  readonly max_bytes: number
  readonly num_replicas: number
}

/** A server that keeps a copy of a stream and does not lead. */
export interface StreamReplica {
  /** Name of the server. */
  readonly name?: string
  /** Whether the copy has everything. */
  readonly current: boolean
  readonly offline?: boolean
  /** How long ago the leader last heard from the server, in nanoseconds. */
  readonly active?: number
}

/** The state of a stream. */
export interface StreamInfo {
  /** When the stream was created. A stream of the same name with another time is another stream. */
  readonly created: string
  readonly config: { readonly max_bytes: number; readonly [member: string]: unknown }
  readonly state: { readonly first_seq: number; readonly last_seq: number; readonly bytes: number }
  /** The server that leads, and the others that keep a copy; absent on a NATS of one server. */
  readonly cluster?: { readonly leader?: string; readonly replicas?: readonly StreamReplica[] }
}

/**
 * The settings of a stream by which messages are acknowledged, kept and removed. With another value of any of them an
 * acknowledged message may be missing or changed, or a new one is refused.
 */
const required: Readonly<Record<string, unknown>> = {
  retention: 'limits',
  storage: 'file',
  // A full stream refuses new messages instead of removing old ones.
  discard: 'new',
  discard_new_per_subject: false,
  max_consumers: -1,
  max_msgs: -1,
  max_msgs_per_subject: -1,
  max_age: 0,
  max_msg_size: -1,
  duplicate_window: 120e9,
  allow_rollup_hdrs: true,
  deny_purge: false,
  sealed: false,
  no_ack: false,
  allow_msg_counter: false,
  // Undefined stands for an absent setting.
  mirror: undefined,
  sources: undefined,
  subject_transform: undefined,
  persist_mode: undefined,
}

/**
 * Creates a stream, or sets the required settings of one that is there. What an operator or a later version has set
 * beside them is kept. Resolves with the names of the settings of an existing stream that were changed.
 * @throws Error if NATS does not change them
 */
export async function ensureStream(nats: NatsConnection, config: StreamConfig): Promise<readonly string[]> {
  const full: Readonly<Record<string, unknown>> = { ...required, ...config }
  try {
    await ask(nats, `STREAM.CREATE.${config.name}`, full)
    return []
  } catch (error) {
    if (!(error instanceof JetStreamError) || error.number !== refusal.streamDiffers) throw error
  }
  const { config: present } = await streamInfo(nats, config.name)
  const differing = Object.keys(full).filter((name) => settingOf(present[name]) !== settingOf(full[name]))
  if (differing.length === 0) return []
  try {
    await ask(nats, `STREAM.UPDATE.${config.name}`, { ...present, ...full })
    return differing
  } catch (error) {
    if (!(error instanceof JetStreamError)) throw error
    const list = differing.map((name) => `${name} ${settingOf(present[name])} instead of ${settingOf(full[name])}`)
    throw new Error(`the stream ${config.name} has ${list.join(', ')}, which NATS does not change: ${error.message}`)
  }
}

/** A setting as text. NATS leaves out some settings that are false or empty. */
function settingOf(value: unknown): string {
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
  return JSON.stringify(isEmpty ? false : value)
}

/**
 * The leader's state of a stream. Returns the state of another server if the leader does not answer; `hasMajority` is
 * then false.
 */
export async function streamInfo(nats: NatsConnection, stream: string): Promise<StreamInfo> {
  const api = `STREAM.INFO.${stream}`
  const info = await ask<StreamInfo>(nats, api)
  if (isOfLeader(info)) return info
  for await (const message of await askAll(nats, api)) {
    const other = message.json<StreamInfo & Answer>()
    if (other.error === undefined && isOfLeader(other)) return other
  }
  return info
}

/**
 * Whether an answer comes from the leader, or is about a stream without one. A former leader, or a server that was
 * started again with an empty disk, can still answer for some seconds, from an old or an empty copy. Its answer lists
 * the leader among the replicas, which are all servers but the one that answers.
 */
function isOfLeader({ cluster: { leader, replicas = [] } = {} }: StreamInfo): boolean {
  return !replicas.some(({ name }) => name !== undefined && name === leader)
}

/**
 * A server of which the leader has not heard for so long does not count as reached, in nanoseconds. No other leader is
 * elected sooner.
 */
const SILENT_NS = 3e9

/**
 * Whether an answer is that of a leader that reaches a majority. Otherwise it may be out of date: another leader may
 * have been elected, for instance on the other side of a cut network. Any server answers for a stream that nobody
 * leads.
 */
export function hasMajority(info: StreamInfo, silentNs: number = SILENT_NS): boolean {
  if (info.cluster === undefined) return true
  if (!isOfLeader(info)) return false
  const { leader, replicas = [] } = info.cluster
  const reached = replicas.filter(({ offline, active = 0 }) => offline !== true && active < silentNs).length
  return leader !== undefined && 2 * (1 + reached) > 1 + replicas.length
}

/**
 * The highest sequence of a subject in the answers of all servers; 0 if none of them has the subject.
 * @throws Error if none answers
 */
export async function highestSequence(nats: NatsConnection, stream: string, subject: string): Promise<number> {
  let highest: number | undefined
  for await (const message of await askAll(nats, `STREAM.MSG.GET.${stream}`, { last_by_subj: subject })) {
    const { error, message: last } = message.json<Answer & { readonly message?: { readonly seq: number } }>()
    if (error !== undefined && error.err_code !== refusal.noMessage)
      throw new JetStreamError(error.err_code ?? 0, error.description)
    highest = Math.max(highest ?? 0, last?.seq ?? 0)
  }
  if (highest === undefined) throw new Error(`no server answers for the stream ${stream}`)
  return highest
}

/** The newest message of a subject; undefined if there is none. */
export async function lastMessage(
  nats: NatsConnection,
  stream: string,
  subject: string,
): Promise<{ readonly seq: number; readonly text: string } | undefined> {
  try {
    const body = { last_by_subj: subject }
    const { message } = await ask<{ message: { seq: number; data?: string } }>(nats, `STREAM.MSG.GET.${stream}`, body)
    return { seq: message.seq, text: Buffer.from(message.data ?? '', 'base64').toString() }
  } catch (error) {
    if (error instanceof JetStreamError && error.number === refusal.noMessage) return undefined
    throw error
  }
}

/** Removes the messages of a subject before a sequence. */
export async function purge(nats: NatsConnection, stream: string, subject: string, before: number): Promise<void> {
  // Nothing is before the first message. JetStream ignores such a bound and would remove everything.
  if (before <= 1) return
  await ask(nats, `STREAM.PURGE.${stream}`, { filter: subject, seq: before })
}

/** The configuration of a consumer. */
export interface ConsumerConfig {
  readonly filter_subject: string
  readonly deliver_policy: 'all' | 'by_start_sequence' | 'last_per_subject'
  readonly opt_start_seq?: number
  readonly headers_only?: boolean
  /** Nanoseconds. */
  readonly idle_heartbeat: number
}

/** Creates a consumer that pushes to a subject of its own. The server deletes it 30 s after its node is gone. */
export async function createConsumer(
  nats: NatsConnection,
  stream: string,
  deliver_subject: string,
  config: ConsumerConfig,
): Promise<{ readonly name: string; readonly num_pending: number; readonly cluster?: { readonly leader?: string } }> {
  const full = {
    ...config,
    deliver_subject,
    ack_policy: 'none',
    replay_policy: 'instant',
    max_deliver: 1,
    flow_control: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: 30e9,
  }
  return ask(nats, `CONSUMER.CREATE.${stream}`, { stream_name: stream, config: full })
}

/** Deletes a consumer. If that fails, the server deletes it later. */
export function deleteConsumer(nats: NatsConnection, stream: string, name: string): void {
  ask(nats, `CONSUMER.DELETE.${stream}.${name}`).catch(() => undefined)
}

export { createInbox }
