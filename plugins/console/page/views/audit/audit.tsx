/** Audit: the chain of all operations on this node, verified in the page. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { count, countOf } from '../../lib/format.ts'
import { localCurl } from '../../lib/shell-commands.ts'
import { Datum } from '../../parts/datum.tsx'
import { Copy, Empty, Head } from '../../parts/parts.tsx'
import { Windowed } from '../../parts/windowed.tsx'
import type { View } from '../view.tsx'
import type { AuditEntry } from './chain.ts'
import { useEntryContext } from './entry-context.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { entryWords } from './entry-words.ts'
import { filtered, isNarrow, NO_FILTER } from './filter.ts'
import { Filters, filterOfAddress, setFilterInAddress } from './filters.tsx'
import { useLedger } from './ledger.ts'
import { EntryRow, useRowHeight } from './row.tsx'
import { Verification } from './verification.tsx'
import './audit.css'

/** The view. */
export const audit: View = {
  title: 'Audit',
  path: 'audit',
  key: 'a',
  icon: 'audit',
  needs: ['audit'],
  component: Audit,
}

function Audit(): JSX.Element {
  const ledger = useLedger()
  const filter = filterOfAddress()
  const [opened, setOpened] = useState<AuditEntry | undefined>(undefined)
  const [sought, setSought] = useState<number | undefined>(undefined)
  const rowHeight = useRowHeight()
  const { entries, head, breaks, isWhole } = ledger
  const context = useEntryContext(entries)
  const rows = useMemo(() => {
    const wordsOf = (entry: AuditEntry): string => {
      const { what, who, type = '' } = entryWords(entry, context)
      return `${what} ${who} ${type}`
    }
    return filtered(entries, filter, wordsOf).toReversed()
  }, [entries, context, ...Object.values(filter)])
  const broken = useMemo(() => new Map(breaks.map(({ seq, why }) => [seq, why])), [breaks])
  const showEntry = (seq: number): void => {
    setFilterInAddress(NO_FILTER)
    setSought(seq)
  }
  const soughtIndex = sought === undefined ? -1 : rows.findIndex(({ seq }) => seq === sought)
  return (
    <>
      <Head
        title="Audit"
        about={
          head === undefined
            ? 'The operations on this node, with their actors and outcomes.'
            : `${countOf(head.seq, 'entry', 'entries')}, each linked to the previous entry by its hash`
        }
      >
        <Copy text="svc audit verify" label="Copy svc audit verify" />
        <Copy text={() => localCurl('/api/v1/audit/verify')} label="Copy as curl" />
      </Head>
      <Datum
        of={ledger.reading}
        name="the audit chain"
        empty={() =>
          head?.seq === 0 && entries.length === 0 ? (
            <Empty
              title="No entry yet"
              command="svc device keygen --out me.key && svc device enroll --key me.key.pub --scope kbd-control:demo"
            >
              The first enrolment, command or push creates the first entry.
            </Empty>
          ) : undefined
        }
      >
        {() => (
          <>
            <Verification ledger={ledger} onShow={showEntry} />
            <section class="panel panel-flush audit">
              <Filters value={filter} onChange={setFilterInAddress} entries={entries} />
              <div class="audit-head" aria-hidden="true">
                <span>Entry</span>
                <span>Time</span>
                <span>Kind</span>
                <span>Project</span>
                <span>What</span>
                <span>Who</span>
                <span>Outcome</span>
              </div>
              <Windowed
                class="audit-rows"
                place="entries"
                label="Entries, the newest first"
                rows={rows}
                rowHeight={rowHeight}
                keyOf={({ seq }) => seq}
                showIndex={soughtIndex < 0 ? undefined : soughtIndex}
                onNearEnd={ledger.older}
                render={(entry) => (
                  <EntryRow
                    entry={entry}
                    words={entryWords(entry, context)}
                    why={broken.get(entry.seq)}
                    isSought={entry.seq === sought}
                    onOpen={setOpened}
                  />
                )}
              />
              <p class="audit-foot" role="status">
                {isNarrow(filter) ? `${count(rows.length)} of ` : ''}
                {countOf(entries.length, 'entry', 'entries')}
                {isWhole ? ', the whole chain' : ' loaded'}
                {!isWhole && (
                  <button type="button" class="quiet small" onClick={ledger.older} disabled={ledger.isBusy}>
                    {ledger.isBusy ? 'Loading…' : 'Load older'}
                  </button>
                )}
              </p>
            </section>
          </>
        )}
      </Datum>
      {opened !== undefined && (
        <EntryDialog
          entry={opened}
          words={entryWords(opened, context)}
          entries={entries}
          why={broken.get(opened.seq)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}
