/** How many of `all` places one tenant may have, by its share from 0 to 1; at least one, because a tenant without any place could do nothing. */
export function shareOf(all: number, share: number): number {
  return Math.max(1, Math.floor(all * share))
}
