/** Headers of a file, and the column of the type that each of them means. */
import { useState } from 'preact/hooks'
import { useApp } from '../../core/use-app.js'
import { type Match, mistakesIn, nameOf } from './import-columns.js'
import type { ImportFile } from './import-file.js'

interface ImportColumnsProps {
  readonly file: ImportFile
  readonly columns: readonly string[]
  readonly matches: readonly Match[]
  readonly onChoose: (header: string, column: string) => void
}

export function ImportColumns({ file, columns, matches, onChoose }: ImportColumnsProps) {
  const { number, t } = useApp()
  const mistakes = mistakesIn(matches)
  const skipped = matches.filter(({ column, isAbout }) => column === null && !isAbout).length
  const used = matches.filter(({ column }) => column !== null).length
  const isAsked = skipped > 0 || file.isGuess || mistakes.columns.size > 0 || mistakes.headers.size > 0
  // Who has nothing to choose need not read the table; it does not close while somebody chooses.
  const [isOpen, setOpen] = useState(isAsked)
  return (
    <details class="section" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{t('import_columns')}</h2>
        <span class="help">
          {mistakes.columns.size + mistakes.headers.size > 0
            ? t('import_columns_wrong')
            : skipped === 0
              ? t('import_columns_match', { count: number(used) })
              : t('import_columns_skipped', { count: number(used), skipped: number(skipped) })}
        </span>
      </summary>
      <div class="table">
        <table class="matches">
          <thead>
            <tr>
              <th scope="col">{t('import_header')}</th>
              <th scope="col">{t('import_example')}</th>
              <th scope="col">{t('import_as')}</th>
            </tr>
          </thead>
          <tbody>
            {matches.map(({ column, header, isAbout }, index) => {
              const isTwice = mistakes.headers.has(nameOf(header))
              const isTaken = column !== null && mistakes.columns.has(column)
              const example = file.samples.map((cells) => cells[index]?.trim() ?? '').find((cell) => cell !== '')
              return (
                <tr key={index}>
                  <td class="first">{header.trim() || t('empty')}</td>
                  <td data-label={t('import_example')} class="example">
                    {example}
                  </td>
                  <td data-label={t('import_as')}>
                    {isAbout ? (
                      <span class="help">{t('import_about_rows')}</span>
                    ) : (
                      <select
                        aria-label={t('import_as_named', { name: header })}
                        aria-invalid={isTwice || isTaken}
                        value={column ?? ''}
                        onChange={(event) => onChoose(header, event.currentTarget.value)}
                      >
                        <option value="">{t('import_leave_out')}</option>
                        {columns.map((one) => (
                          <option key={one} value={one}>
                            {one}
                          </option>
                        ))}
                      </select>
                    )}
                    {isTwice && <p class="mistake">{t('import_header_twice')}</p>}
                    {isTaken && !isTwice && <p class="mistake">{t('import_column_twice', { name: column })}</p>}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </details>
  )
}
