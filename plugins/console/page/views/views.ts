/** All views, in the order of the navigation. */
import { access } from './access/access.tsx'
import { audit } from './audit/audit.tsx'
import { exchange } from './exchange/exchange.tsx'
import { overview } from './overview/overview.tsx'
import type { View } from './view.ts'

/** The views of the page. */
export const views: readonly View[] = [overview, exchange, access, audit]
