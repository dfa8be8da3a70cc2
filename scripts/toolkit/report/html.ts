/** Text in HTML: everything that comes from a build is escaped where it is put in. */

/** HTML that may be put in as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A template of HTML: values that are no {@link Html} are escaped, lists are put in one after the other. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${toText(values[index - 1])}${part}`))
}

function toText(value: unknown): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(toText).join('')
  if (value === undefined || value === null || value === false) return ''
  return String(value).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
