/** The setting `realtime.agents`: which agents there are, and how each is called. */
import { documented } from '../../../core/declare/described.ts'
import { Secret } from '../../../core/declare/secret.ts'
import type { Setting } from '../../../core/declare/settings.ts'
import type { SettingRefusal } from '../../../core/kernel/settings/resolve.ts'
import { isObject } from '../../../core/kernel/values.ts'

/** One agent, as it is configured. */
export interface AgentSettings {
  readonly url: string
  /** Headers of each call, by lower-case name. Their values are secrets. */
  readonly headers: Readonly<Record<string, Secret>>
  /** Longest time without a byte, and of a whole call, in milliseconds. */
  readonly idleMs: number
  readonly maxMs: number
  /** What happens to a run when its last reader goes away. */
  readonly onDisconnect: 'continue' | 'cancel'
  /** The scope that callers need; null if any authenticated caller may call. */
  readonly scope: string | null
  readonly summary: string | null
}

/** The agents by name. */
export type Agents = Readonly<Record<string, AgentSettings>>

const DAY_MS = 86_400_000
const MAX_AGENTS = 64
const NAME = /^[a-z][a-z0-9-]{0,63}$/
/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Headers that a call has already, and those that concern one connection (RFC 9110, section 7.6.1). */
const RESERVED =
  /^(?:accept|accept-encoding|host|content-.*|traceparent|tracestate|svc-.*|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect)$/i
const MEMBERS = ['url', 'headers', 'idle_ms', 'max_ms', 'on_disconnect', 'scope', 'summary']

/** The declaration of `realtime.agents`. All of it counts as secret, so that no value of a header is ever printed. */
export const agentsSetting: Setting<unknown> = {
  default: {},
  secret: true,
  // The files of headers, for calls from then on. Another agent or address needs a restart.
  reload: 'contents',
  summary: documented(
    'Agents by name, each `{url, headers?, idle_ms?, max_ms?, on_disconnect?, scope?, summary?}`: POST /api/svc/agents/{name} calls it. The value of a header may be `{"file": "path"}`.',
  ),
  expected: 'an object of agents by name, each an object with a url',
  read: (input) => (isObject(input) ? input : undefined),
  fromText: (text) => {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  },
}

/** What is wrong with the configured agents. No message has a value of a header or an address. */
export function refusals(setting: unknown): readonly SettingRefusal[] {
  const agents = Object.entries(setting as Record<string, unknown>)
  const problems = agents.flatMap(([name, agent]) => problemsOf(name, agent))
  if (agents.length > MAX_AGENTS) problems.push(`has ${agents.length} agents; at most ${MAX_AGENTS} are possible`)
  return problems.map((message) => ({ key: 'realtime.agents', message }))
}

function problemsOf(name: string, agent: unknown): string[] {
  if (!NAME.test(name)) return [`has the name ${JSON.stringify(name.slice(0, 80))}; a name matches ${NAME}`]
  if (!isObject(agent)) return [`"${name}" is not an object with a url`]
  const { url, headers = {}, idle_ms = 1, max_ms = 1, on_disconnect = 'continue', scope = '', summary = '' } = agent
  const problems: string[] = []
  const other = Object.keys(agent).find((member) => !MEMBERS.includes(member))
  if (other !== undefined) problems.push(`has the member "${other}"; the members are ${MEMBERS.join(', ')}`)
  if (!isAddress(url)) problems.push('needs a url with http or https and without credentials')
  if (!isObject(headers)) problems.push('has headers that are not an object of texts')
  else problems.push(...Object.entries(headers).flatMap(([header, value]) => headerProblem(header, value) ?? []))
  for (const [member, ms] of Object.entries({ idle_ms, max_ms })) {
    if (!Number.isInteger(ms) || (ms as number) < 1 || (ms as number) > 7 * DAY_MS)
      problems.push(`has a ${member} that is not an integer from 1 to ${7 * DAY_MS} (ms)`)
  }
  if (on_disconnect !== 'continue' && on_disconnect !== 'cancel')
    problems.push('has an on_disconnect other than continue or cancel')
  for (const [member, text] of Object.entries({ scope, summary }))
    if (typeof text !== 'string') problems.push(`has a ${member} that is not a text`)
  return problems.map((problem) => `"${name}" ${problem}`)
}

function headerProblem(name: string, value: unknown): string | undefined {
  if (!TOKEN.test(name))
    return `has a header with the name ${JSON.stringify(name.slice(0, 80))}, which no header can have`
  if (RESERVED.test(name)) return `has the header ${name}, which calls set themselves or which concerns one connection`
  // RFC 9110, section 5.5: visible characters, blanks and tabs.
  if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value))
    return `has a header ${name} whose value no header can have`
  return undefined
}

function isAddress(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

/** The agents of a valid setting. */
export function agentsOf(setting: unknown): Agents {
  const agents = Object.entries(setting as Record<string, Readonly<Record<string, unknown>>>)
  return Object.fromEntries(
    agents.map(
      ([name, { url, headers = {}, idle_ms = 300_000, max_ms = DAY_MS, on_disconnect = 'continue', ...rest }]) => [
        name,
        {
          url,
          headers: Object.fromEntries(
            Object.entries(headers as Record<string, string>).map(([key, value]) => [
              key.toLowerCase(),
              new Secret(value),
            ]),
          ),
          ...{ idleMs: idle_ms, maxMs: max_ms, onDisconnect: on_disconnect },
          scope: rest['scope'] || null,
          summary: rest['summary'] || null,
        } as AgentSettings,
      ],
    ),
  )
}
