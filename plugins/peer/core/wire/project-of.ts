/** The project of a domain such as `kbd-control:demo`. */
export function projectOf(domain: string): string {
  return domain.slice(domain.indexOf(':') + 1)
}
