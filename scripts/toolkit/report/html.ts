/** HTML templates that escape all values, because a build can contain third-party text. */

/** HTML that is inserted without escaping. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A template tag: escapes values that are not {@link Html}, and concatenates lists. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${toText(values[index - 1])}${part}`))
}

function toText(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  if (value === undefined || value === null || value === false) return ''
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
