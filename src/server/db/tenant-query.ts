import pg from 'pg'

// What the library's declarations leave out.
interface Wire {
  parse(statement: { name: string; text: string }): void
  bind(portal: { portal: string; statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void
  execute(portal: { portal: string }): void
  sync(): void
  submittedNamedStatements: Record<string, string>
}
interface Statement {
  name: string
  text: string
  prepare(wire: Wire): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, wire: Wire): void
}
type Done = (error: Error | null, result: pg.QueryResult) => void
interface Config {
  name?: string
  text: string
  values?: readonly unknown[]
  /** `extended` also without values, because only that way several statements go up to one end. */
  queryMode?: 'extended'
}
const Query = pg.Query as unknown as new (config: Config, done: Done) => Statement

const settings = {
  name: 'tenant',
  text: `select set_config('transaction_read_only', 'on', true), set_config('role', 'tideline_app', true),
    set_config('tideline.merchants', $1, true)`,
}

class PrepareSettings extends Query {
  override prepare(wire: Wire): void {
    wire.parse(settings)
    wire.submittedNamedStatements[settings.name] = settings.text
    wire.sync()
  }
}

class TenantQuery extends Query {
  readonly #merchants: string
  #isSet = false

  constructor(merchants: string, statement: Config, done: Done) {
    super({ ...statement, queryMode: 'extended' }, done)
    this.#merchants = merchants
  }

  override prepare(wire: Wire): void {
    wire.bind({ portal: '', statement: settings.name, values: [this.#merchants], valueMapper: text => text })
    wire.execute({ portal: '' })
    super.prepare(wire)
  }

  // The row of the settings and its end come first.
  override handleDataRow(message: unknown): void {
    if (this.#isSet) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isSet) super.handleCommandComplete(message, wire)
    this.#isSet = true
  }
}

const send = (client: pg.ClientBase, make: (done: Done) => Statement): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(make((error, result) => (error ? reject(error) : resolve(result))) as unknown as pg.Submittable)
  })

/** Readies a new connection for `readAsTenant`; to be called before anything else is sent. Rejects when it cannot be used. */
export async function prepareForTenants(client: pg.ClientBase): Promise<void> {
  await send(client, done => new PrepareSettings({ ...settings, queryMode: 'extended' }, done))
}

/**
 * Sends a statement that can only read, and only the rows of these merchants. Its settings go before it in one message, and
 * the server ends both as one transaction: neither role nor merchants can outlive it, and none waits for a begin or an end.
 */
export const readAsTenant = (client: pg.ClientBase, merchants: string, statement: Config): Promise<pg.QueryResult> =>
  send(client, done => new TenantQuery(merchants, statement, done))
