import { createConnection } from 'mysql2/promise'
import { Advice } from './advice.js'

/** Makes the database that the address names, when it is not there and the user may. @throws Advice */
export async function makeDatabase(address: string): Promise<void> {
  const url = new URL(address)
  const name = decodeURIComponent(url.pathname.slice(1))
  if (name === '') throw new Advice('MYSQL_URL names no database.', 'Add one at its end: mysql://user:password@host:3306/itsm')
  if (await isThere(url.href)) return
  url.pathname = '/'
  const server = await createConnection(url.href)
  try {
    await server.query('CREATE DATABASE IF NOT EXISTS ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci', [name])
  } catch (error) {
    throw new Advice(
      `The database '${name}' is not there, and cannot be made: ${(error as Error).message}`,
      `As an administrator: CREATE DATABASE \`${name}\`; GRANT ALL ON \`${name}\`.* TO …`,
    )
  } finally {
    await server.end()
  }
}

async function isThere(url: string): Promise<boolean> {
  try {
    await (await createConnection(url)).end()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'ER_BAD_DB_ERROR') return false
    throw error
  }
}
