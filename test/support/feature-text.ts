/** The text of a module of a user that exports a feature. */

/** What the feature says and does beside its id, as source text. */
export interface FeatureText {
  readonly id: string
  /** One line of statements after the import of `svc/plugin`. */
  readonly head?: string
  /** More members of `about`. */
  readonly about?: string
  /** More members of the feature, such as `setup() {},`. */
  readonly does?: string
  readonly summary?: string
  readonly platform?: 'bare' | 'web' | 'node'
  readonly stability?: 'experimental' | 'stable'
}

/** Writes the module. `head` begins in its second line, `does` five lines after it. */
export function featureText(text: FeatureText): string {
  const { id, head = '', about = '', does = '', summary = 'S', platform = 'web', stability = 'experimental' } = text
  const names = ['closed', 'json', 'text'].filter((name) => new RegExp(`\\b${name}\\(`).test(`${head}${does}`))
  return `import { ${[...names, 'defineFeature', 'described'].join(', ')} } from 'svc/plugin'
${head}
export const feature = defineFeature({
  id: '${id}',
  about: described({ summary: '${summary}', stability: '${stability}', since: '1.0.0', platform: '${platform}', contract: { present: [], absent: [] }, ${about} }),
  ${does}
})
`
}
