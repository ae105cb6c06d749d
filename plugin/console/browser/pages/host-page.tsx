/** A page of the host: a module of its own, which gets the kit (option `console.pages`). */
import { type ComponentType, h } from 'preact'
import { useEffect, useErrorBoundary, useMemo, useState } from 'preact/hooks'
import type { ConsoleKit, ConsoleModule } from '../../console-kit.js'
import type { Output } from '../core/api.js'
import { type PageOfHost, titleOf } from '../core/page-of-host.js'
import { useTitle } from '../core/title.js'
import { type App, useApp, useLoaded } from '../core/use-app.js'
import { Empty, Link, Loading, Problem } from '../parts/basics.js'
import { RecordTable } from '../parts/record-table.js'

export function HostPage({ page }: { page: PageOfHost }) {
  const app = useApp()
  useTitle(titleOf(page, app.language))
  const { data, error, reload } = useLoaded('module', () => load(page.script))
  const [failure, retry] = useErrorBoundary()
  const make = data?.make
  const Page = useMemo(() => make && (make(kitOf(app)) as ComponentType), [app, make])
  if (failure !== undefined) return <Problem error={failure} retry={retry} />
  if (error !== undefined) return <Problem error={error} retry={reload} />
  return Page ? <Page /> : <Loading />
}

async function load(script: string): Promise<{ readonly make: ConsoleModule }> {
  const { default: make } = (await import(script)) as { readonly default?: ConsoleModule }
  if (typeof make !== 'function') throw new Error(`${script} has no function as its default export`)
  return { make }
}

function kitOf({ api, catalog, date, language, me, number, places, say, time }: App): ConsoleKit {
  const Records = (props: { type: string; columns: readonly string[]; records: readonly object[] }) => {
    const type = catalog.typeNamed(props.type)
    if (!type) throw new Error(`There is no record type ${props.type}`)
    const columns = props.columns.flatMap((name) => type.fields.filter((field) => field.name === name))
    return <RecordTable type={type} columns={columns} records={props.records as readonly Output[]} />
  }
  const kit = {
    version: 1,
    h,
    useState,
    useEffect,
    useLoaded,
    api: { get: api.get, call: api.call },
    catalog: { types: catalog.types },
    me: { id: me.id, name: me.name },
    language,
    format: { time, date, number },
    go: (path: string) => places.go(path),
    say,
    components: { Link, RecordTable: Records, Loading, Problem, Empty },
  }
  // What hosts see knows nothing of the library that the pages are made with.
  return kit as unknown as ConsoleKit
}
