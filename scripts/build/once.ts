/** Results that several stages and checks of a build ask for. */

/**
 * A function that computes its result once for each pair of arguments, as long as both exist. They must not change:
 * plans, targets, bundles and metafiles do not after they were made. What the function reads from files is what they
 * had at first.
 */
export function once<A extends object, B extends object, R>(compute: (a: A, b: B) => R): (a: A, b: B) => R {
  const results = new WeakMap<A, WeakMap<B, { readonly result: R }>>()
  return (a, b) => {
    const ofFirst = results.get(a) ?? new WeakMap<B, { readonly result: R }>()
    results.set(a, ofFirst)
    const entry = ofFirst.get(b) ?? { result: compute(a, b) }
    ofFirst.set(b, entry)
    return entry.result
  }
}
