/** Boards: the projects of the node, and one project with its columns and cards. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { countOf } from '../../lib/format.ts'
import { useLoad } from '../../lib/load.ts'
import { at, go, keepingQuery, path } from '../../lib/router.ts'
import { loadedSession, local } from '../../lib/service.ts'
import { Datum } from '../../parts/datum.tsx'
import { Empty, Head } from '../../parts/parts.tsx'
import type { View } from '../view.tsx'
import './boards.css'
import './columns/card.css'
import './detail/detail.css'
import { readNames } from './names.ts'
import { ProjectPage } from './project-page.tsx'

/** A project in the answer of `GET /api/v1/kbd/projects`. */
interface ListedProject {
  readonly project: string
  readonly revision: number
}

/** The view. */
export const boards: View = {
  title: 'Boards',
  path: 'boards',
  key: 'b',
  icon: 'boards',
  needs: ['boards'],
  component: Boards,
}

function Boards(): JSX.Element {
  useLoad(readNames)
  const name = path.value[1]
  const listed = useLoad(
    (signal) => local<{ projects: readonly ListedProject[] }>('/api/v1/kbd/projects', { signal }),
    {
      changes: [name === undefined],
    },
  )
  const projects = listed.data?.projects
  const only = name === undefined && projects?.length === 1 ? projects[0]?.project : undefined
  useEffect(() => {
    if (only !== undefined) go(keepingQuery(`/boards/${encodeURIComponent(only)}`), { replace: true })
  }, [only])
  if (name !== undefined)
    return <ProjectPage key={name} name={name} others={(projects ?? []).map(({ project }) => project)} />
  return (
    <>
      <Head title="Boards" about={projects === undefined ? undefined : countOf(projects.length, 'project')} />
      <Datum of={listed} name="the projects" empty={(all) => (all.projects.length === 0 ? <NoProject /> : undefined)}>
        {(all) => (
          <ul class="projects">
            {all.projects.map(({ project, revision }) => (
              <li key={project}>
                <a href={at(`/boards/${encodeURIComponent(project)}`)}>
                  <strong>{project}</strong>
                  <span>{countOf(revision, 'command')}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Datum>
    </>
  )
}

function NoProject(): JSX.Element {
  const { device } = loadedSession()
  return (
    <Empty
      title="There is no project yet"
      command={
        device === null
          ? 'svc device keygen --out me.key\nsvc device enroll --key me.key.pub --scope kbd-control:demo\nsvc board add --board "Release 1" --columns "To do,Doing,Done" --project demo --key me.key'
          : 'svc board add --board "Release 1" --columns "To do,Doing,Done" --project demo --key me.key'
      }
    >
      A project begins with the first command that a device signs for it. Create a key, enrol it for a project, and add
      a board.
    </Empty>
  )
}
