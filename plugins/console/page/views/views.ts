/** All views, in the order of the navigation. */
import { access } from './access/access.tsx'
import { api } from './api/api.tsx'
import { audit } from './audit/audit.tsx'
import { boards } from './boards/boards.tsx'
import { build } from './build/build.tsx'
import { exchange } from './exchange/exchange.tsx'
import { live } from './live/live.tsx'
import { overview } from './overview/overview.tsx'
import { runs } from './runs/runs.tsx'
import type { View } from './view.tsx'

/** The views of the page. */
export const views: readonly View[] = [overview, runs, live, boards, exchange, access, audit, build, api]
