/** Creates package URLs. */

/** The package URL of an npm package: `pkg:npm/%40noble/hashes@2.4.0`. */
export function npmPurl(name: string, version: string): string {
  const path = name.split('/').map(encodeURIComponent).join('/')
  return `pkg:npm/${path}@${encodeURIComponent(version)}`
}
