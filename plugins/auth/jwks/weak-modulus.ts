/** Primes whose residues tell the weak generator's moduli apart; a sound modulus passes all of them once in 2^27. */
const PRIMES: readonly number[] = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157]

const GENERATOR = 65537

/**
 * Whether an RSA modulus bears the mark of the generator of CVE-2017-15361, whose keys can be factored: its primes are
 * powers of 65537 modulo a product of small primes, and so is their product, modulo each of those.
 */
export function isWeakModulus(modulus: bigint): boolean {
  return PRIMES.every((prime) => isPowerOf(GENERATOR % prime, Number(modulus % BigInt(prime)), prime))
}

function isPowerOf(base: number, value: number, prime: number): boolean {
  let power = 1
  do {
    if (power === value) return true
    power = (power * base) % prime
  } while (power !== 1)
  return false
}
