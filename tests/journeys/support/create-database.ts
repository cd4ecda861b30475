import { randomUUID } from 'node:crypto'
import { isCluster, joinNodes, onEveryNode, spread } from '../../support/cluster.ts'
import { createMigrated } from '../../support/database.ts'

/**
 * Creates a database on the server of TEST_DATABASE_URL: migrated if the integration tests ran there before, else empty, or
 * spread over its cluster; null without a server.
 */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> } | null> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) return null
  const name = `tideline_journey_${randomUUID().replaceAll('-', '')}`
  if (isCluster || !(await wasCopied(server, name)))
    await onEveryNode(server, `create database ${name} template template0 encoding 'UTF8' locale 'C.UTF-8'`)
  if (isCluster) {
    await joinNodes(server, name)
    await spread(server, name)
  }
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onEveryNode(server, `drop database ${name} with (force)`) }
}

const missingDatabase = '3D000'
const wasCopied = (server: string, name: string): Promise<boolean> =>
  createMigrated(server, name).then(
    () => true,
    (error: unknown) => {
      if ((error as { code?: string }).code !== missingDatabase) throw error
      return false
    },
  )
