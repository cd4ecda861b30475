import { randomUUID } from 'node:crypto'
import pg from 'pg'

async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}

/** Creates an empty database on the server of TEST_DATABASE_URL; null without a server. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> } | null> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) return null
  const name = `tideline_journey_${randomUUID().replaceAll('-', '')}`
  await asAdmin(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asAdmin(server, `drop database ${name} with (force)`) }
}
