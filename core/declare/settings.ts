/**
 * The kinds of setting. A plugin declares its settings as a table. Parsing, validation, messages about bad values and
 * the documentation follow from it.
 */
import { Secret } from './secret.ts'

declare const __PROGRAM__: boolean

/** One declared setting. */
export interface Setting<T> {
  readonly default: T
  /** One line for the documentation. */
  readonly summary: string | undefined
  /** Unit of a number: `ms`, `bytes`, `s`. */
  readonly unit?: string | undefined
  /** Another environment variable that sets the value, such as `RUST_LOG`. The variable of the service wins over it. */
  readonly variable?: string | undefined
  /** Whether the value must not be printed. */
  readonly secret: boolean
  /**
   * What is used without a restart when the settings are read again: `true` for a new value, which the plugin applies
   * in `onReload`, or `contents` for the contents of the file that the value names.
   */
  readonly reload?: boolean | 'contents' | undefined
  /**
   * Present if the key is removed after this release, when the default becomes a constant: why no other value is
   * needed.
   */
  readonly deprecated?: string | undefined
  /** The expected value, for messages: `an integer from 0 to 65535`. */
  readonly expected: string
  /** Converts `input` (from JSON or a caller) to a value; undefined if it is not valid. */
  read(input: unknown): T | undefined
  /** Converts the text of an environment variable to the input of `read`. Without it the text itself is the input. */
  readonly fromText?: ((text: string) => unknown) | undefined
}

/** Settings by their full key: `{ 'server.port': integer({...}) }`. */
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

/** The values of a table. */
export type SettingsOf<S extends SettingsTable> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never
}

/** The conversions of texts of an environment, by kind. A library lacks them, because it reads no environment. */
const fromTexts =
  typeof __PROGRAM__ === 'undefined' || __PROGRAM__
    ? {
        integer: (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text),
        decimal: (text: string) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)),
        flag: (text: string) => flagWords.get(text.trim().toLowerCase()) ?? text,
        choice: (text: string) => text.trim(),
        list: listed,
        dictionary: parsed,
      }
    : undefined

/** The options of every kind of setting. */
export interface SettingOptions<T> {
  readonly default: T
  readonly summary: string | undefined
  readonly variable?: string
}

/**
 * A whole number.
 *
 * @example
 * ```ts
 * import { integer } from 'svc/plugin'
 *
 * const setting = integer({ default: 10, min: 1, max: 100, summary: 'Most quotes of an answer.' })
 * setting.read(7) // → 7
 * setting.read(0) // → undefined
 * ```
 */
export function integer(
  options: SettingOptions<number> & { min?: number; max?: number; unit?: 'ms' | 's' | 'bytes' },
): Setting<number> {
  const min = options.min ?? 0
  const max = options.max ?? Number.MAX_SAFE_INTEGER
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  return {
    ...options,
    secret: false,
    expected: `an integer ${range}${options.unit ? ` (${options.unit})` : ''}`,
    read: (input) =>
      typeof input === 'number' && Number.isInteger(input) && input >= min && input <= max ? input : undefined,
    fromText: fromTexts?.integer,
  }
}

/**
 * A number, whole or not.
 *
 * @example
 * ```ts
 * import { decimal } from 'svc/plugin'
 *
 * const setting = decimal({ default: 0.5, min: 0, max: 1, summary: 'Share of quotes that are new.' })
 * setting.read(0.25) // → 0.25
 * ```
 */
export function decimal(options: SettingOptions<number> & { min: number; max: number }): Setting<number> {
  const { min, max } = options
  return {
    ...options,
    secret: false,
    expected: `a number from ${min} to ${max}`,
    read: (input) => (typeof input === 'number' && input >= min && input <= max ? input : undefined),
    fromText: fromTexts?.decimal,
  }
}

/**
 * True or false; in the environment also 1/0, on/off, yes/no, in any case.
 *
 * @example
 * ```ts
 * import { flag } from 'svc/plugin'
 *
 * const setting = flag({ default: false, summary: 'Whether authors are shown.' })
 * setting.fromText?.('yes') // → true
 * ```
 */
export function flag(options: SettingOptions<boolean>): Setting<boolean> {
  return {
    ...options,
    secret: false,
    expected: 'true or false',
    read: (input) => (typeof input === 'boolean' ? input : undefined),
    fromText: fromTexts?.flag,
  }
}

/**
 * A text that matches `pattern`. `expected` describes the pattern in words.
 *
 * @example
 * ```ts
 * import { text } from 'svc/plugin'
 *
 * const setting = text({ default: 'Mies', pattern: /^[A-Z]/, expected: 'a name', summary: 'Whose quotes.' })
 * setting.read('mies') // → undefined
 * ```
 */
export function text<D extends string | null>(
  options: SettingOptions<D> & { pattern?: RegExp; expected?: string },
): Setting<D | string> {
  const { pattern } = options
  return {
    default: options.default,
    summary: options.summary,
    variable: options.variable,
    secret: false,
    expected: options.expected ?? 'a text that is not empty',
    read: (input) =>
      typeof input === 'string' && input !== '' && (pattern === undefined || pattern.test(input)) ? input : undefined,
  }
}

/**
 * One of several words.
 *
 * @example
 * ```ts
 * import { choice } from 'svc/plugin'
 *
 * const setting = choice({ default: 'short', of: ['short', 'long'], summary: 'Which quotes.' })
 * setting.expected // → 'one of short, long'
 * ```
 */
export function choice<const W extends string>(options: SettingOptions<NoInfer<W>> & { of: readonly W[] }): Setting<W> {
  return {
    default: options.default,
    summary: options.summary,
    secret: false,
    expected: `one of ${options.of.join(', ')}`,
    read: (input) => options.of.find((word) => word === input),
    fromText: fromTexts?.choice,
  }
}

/**
 * A list of texts; in the environment separated by commas, or a JSON array.
 *
 * @example
 * ```ts
 * import { list } from 'svc/plugin'
 *
 * const setting = list({ default: [], summary: 'Authors that are left out.' })
 * setting.fromText?.('Mies,Loos') // → ['Mies', 'Loos']
 * ```
 */
export function list(
  options: SettingOptions<readonly string[]> & {
    pattern?: RegExp
    /** Converts an item; undefined if it is not valid. */
    readItem?: (item: string) => string | undefined
    expected?: string
  },
): Setting<readonly string[]> {
  const { pattern, readItem = (item) => item } = options
  const readOne = (item: unknown): string | undefined =>
    typeof item === 'string' && item !== '' && (pattern === undefined || pattern.test(item))
      ? readItem(item)
      : undefined
  return {
    default: options.default,
    summary: options.summary,
    secret: false,
    expected: options.expected ?? 'a list of texts',
    read: (input) => {
      const items = Array.isArray(input) ? input.map(readOne) : [undefined]
      return items.every((item) => item !== undefined) ? items : undefined
    },
    fromText: fromTexts?.list,
  }
}

/**
 * Texts by name, such as the addresses of configured servers; in the environment a JSON object.
 *
 * @example
 * ```ts
 * import { dictionary } from 'svc/plugin'
 *
 * const setting = dictionary({ default: {}, summary: 'Addresses of the sources.' })
 * setting.read({ main: 'https://example.org' }) // → { main: 'https://example.org' }
 * ```
 */
export function dictionary(
  options: SettingOptions<Readonly<Record<string, string>>> & { expected?: string },
): Setting<Readonly<Record<string, string>>> {
  return {
    default: options.default,
    summary: options.summary,
    secret: false,
    expected: options.expected ?? 'an object whose values are texts',
    read: (input) =>
      typeof input === 'object' &&
      input !== null &&
      !Array.isArray(input) &&
      Object.values(input).every((value) => typeof value === 'string')
        ? (input as Record<string, string>)
        : undefined,
    fromText: fromTexts?.dictionary,
  }
}

/**
 * A text that is never printed.
 *
 * @example
 * ```ts
 * import { secret } from 'svc/plugin'
 *
 * const setting = secret({ summary: 'The key of the source.' })
 * String(setting.read('s3cret')) // → '[redacted]'
 * ```
 */
export function secret(options: Omit<SettingOptions<null>, 'default'>): Setting<Secret | null> {
  return {
    default: null,
    summary: options.summary,
    secret: true,
    expected: 'a text that is not empty',
    read: (input) => {
      if (input instanceof Secret) return input
      return typeof input === 'string' && input !== '' ? new Secret(input) : undefined
    },
  }
}

/**
 * A list of texts that are never printed, at most `max`; in the environment separated by commas, or a JSON array. A
 * file of the list has one on each line.
 */
export function secretList(
  options: Omit<SettingOptions<null>, 'default'> & { max: number },
): Setting<readonly Secret[]> {
  const one = secret(options)
  return {
    default: [],
    summary: options.summary,
    secret: true,
    expected: `a list of at most ${options.max} texts that are not empty`,
    read: (input) => {
      const secrets = Array.isArray(input) && input.length <= options.max ? input.map(one.read) : [undefined]
      return secrets.every((value) => value !== undefined && value !== null) ? secrets : undefined
    },
    fromText: fromTexts?.list,
  }
}

/** The same setting, whose new value, or the new contents of its file, is used without a restart. */
export function reloadable<T>(setting: Setting<T>, reload: true | 'contents' = true): Setting<T> {
  return typeof __PROGRAM__ === 'undefined' || __PROGRAM__ ? { ...setting, reload } : setting
}

/**
 * A setting whose key is removed after this release. The setting still works, and a service that sets it logs a
 * warning. `reason` says why nobody needs another value than the default.
 */
export function deprecated<T>(setting: Setting<T>, reason: string | undefined): Setting<T> {
  return typeof __PROGRAM__ === 'undefined' || __PROGRAM__ ? { ...setting, deprecated: reason } : setting
}

const flagWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['on', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['off', false],
  ['no', false],
])

function listed(value: string): unknown {
  if (value.trim().startsWith('[')) return parsed(value)
  const items = value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  // A text without items, such as that of an unset variable and a comma, is refused. The empty list is `[]`.
  return items.length === 0 ? value : items
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
