import { parseString } from 'fast-csv'

/** The rows of a CSV file, without a byte order mark; the first one has its headers. */
export function rowsOfCsv(text: string): Promise<readonly (readonly string[])[]> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = []
    parseString<string[], string[]>(text.replace(/^\ufeff/, ''), { headers: false })
      .on('data', (row: string[]) => rows.push(row))
      .on('error', reject)
      .on('end', () => resolve(rows))
  })
}
