/** All views, in the order of the navigation. */
import { boards } from './boards/boards.tsx'
import { build } from './build/build.tsx'
import { live } from './live/live.tsx'
import { overview } from './overview/overview.tsx'
import { runs } from './runs/runs.tsx'
import type { View } from './view.ts'

/** The views of the page. */
export const views: readonly View[] = [overview, runs, live, boards, build]
