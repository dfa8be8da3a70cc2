import { testGraphs } from './graphs.ts'

testGraphs(3)
