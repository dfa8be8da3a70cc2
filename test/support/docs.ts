/** The files that a page of the documentation shows, so that tests can run what readers copy. */
export { documentedFiles as filesOf } from '../../scripts/toolkit/init/example.ts'
