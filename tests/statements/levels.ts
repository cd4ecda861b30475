import type { DeleteStmt, InsertStmt, JoinExpr, Node, RangeVar, SelectStmt, UpdateStmt, WithClause } from 'libpg-query'

/**
 * How a relation is bound to a merchant within its own query: by a constant or parameter (`one`), by a list (`many`), by a
 * column of a query around it only (`outer`), or not at all.
 */
export type Tie = 'one' | 'many' | 'outer' | 'none'

/** A relation in a FROM clause, or one that is updated or deleted from. */
export interface Relation {
  /** The name of the table; null for a subquery, a function or the name of a WITH query. */
  table: string | null
  alias: string
  /** Bytes from the beginning of the statement. */
  at: number
  tie: Tie
}

/** The relations of one query, without those of the queries in it. */
export type Level = Relation[]

type Query = SelectStmt | InsertStmt | UpdateStmt | DeleteStmt
type Tree = Record<string, unknown>
interface Scope {
  column: string
  carries: (table: string) => boolean
  /** Names of the WITH queries that can be seen. */
  names: ReadonlySet<string>
  found: Level[]
}

const statementKeys = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'])
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** Calls `visit` for each query that is directly within the tree, not for those within these. */
function eachQuery(tree: unknown, visit: (query: Query) => void) {
  if (!isTree(tree)) return
  for (const [key, value] of Object.entries(tree)) {
    if (statementKeys.has(key)) visit(value as Query)
    else eachQuery(value, visit)
  }
}

const stringOf = (node: Node | undefined): string | undefined =>
  node && 'String' in node ? node.String.sval : undefined

const conjunctsOf = (condition: Node | undefined): Node[] => {
  if (!condition) return []
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR')
    return (condition.BoolExpr.args ?? []).flatMap(conjunctsOf)
  return [condition]
}

const isFixed = (node: Node): boolean =>
  'ParamRef' in node ||
  'A_Const' in node ||
  ('TypeCast' in node && node.TypeCast.arg !== undefined && isFixed(node.TypeCast.arg))

/** Sets of names that were found equal. */
class Equals {
  readonly #parents = new Map<string, string>()
  rootOf(name: string): string {
    const parent = this.#parents.get(name)
    return parent === undefined ? name : this.rootOf(parent)
  }
  join(a: string, b: string) {
    const [from, to] = [this.rootOf(a), this.rootOf(b)]
    if (from !== to) this.#parents.set(from, to)
  }
}

// No alias is called so.
const [one, many, outer] = ['= one', '= many', '= outer']

class LevelReader {
  readonly relations: Relation[] = []
  readonly #conditions: Node[] = []
  readonly #equals = new Equals()
  readonly #scope: Scope
  constructor(scope: Scope) {
    this.#scope = scope
  }

  addTable({ relname = '', schemaname, alias, location = 0 }: RangeVar) {
    const isTable = schemaname !== undefined || !this.#scope.names.has(relname)
    this.relations.push({
      table: isTable ? relname : null,
      alias: alias?.aliasname ?? relname,
      at: location,
      tie: 'none',
    })
  }

  addFrom(node: Node) {
    if ('RangeVar' in node) this.addTable(node.RangeVar)
    else if ('JoinExpr' in node) this.#addJoin(node.JoinExpr)
    else {
      const part = Object.values(node)[0] as { alias?: { aliasname?: string } }
      this.relations.push({ table: null, alias: part.alias?.aliasname ?? '', at: 0, tie: 'none' })
    }
  }

  #addJoin({ larg, rarg, quals, usingClause }: JoinExpr) {
    const first = this.relations.length
    if (larg) this.addFrom(larg)
    const middle = this.relations.length
    if (rarg) this.addFrom(rarg)
    this.addCondition(quals)
    if (!usingClause?.some(name => stringOf(name) === this.#scope.column)) return
    const [left, right] = [this.relations.slice(first, middle), this.relations.slice(middle)].map(side =>
      this.#bearer(side),
    )
    if (left && right) this.#equals.join(left, right)
  }

  addCondition(condition: Node | undefined) {
    this.#conditions.push(...conjunctsOf(condition))
  }

  /** Whose the column is where it stands without an alias. Where a table has it, no subquery can have it too. */
  #bearer(relations: readonly Relation[]): string | undefined {
    const bearer = relations.find(({ table }) => table !== null && this.#scope.carries(table))
    return (bearer ?? relations.find(({ table }) => table === null))?.alias
  }

  #nameOf(node: Node | undefined): string | null {
    if (!node) return null
    if (isFixed(node)) return one
    if (!('ColumnRef' in node)) return null
    const fields = (node.ColumnRef.fields ?? []).map(stringOf)
    if (fields.at(-1) !== this.#scope.column) return null
    const alias = fields.at(-2) ?? this.#bearer(this.relations)
    return alias !== undefined && this.relations.some(relation => relation.alias === alias) ? alias : outer
  }

  #equate(left: Node | undefined, right: Node | undefined) {
    const [a, b] = [left, right].map(side => this.#nameOf(side))
    if (a && b && !(a === one && b === one)) this.#equals.join(a, b)
  }

  #read(condition: Node) {
    if (!('A_Expr' in condition)) return
    const { kind, name, lexpr, rexpr } = condition.A_Expr
    if (stringOf(name?.at(-1)) !== '=') return
    if (kind === 'AEXPR_OP') {
      if (lexpr && rexpr && 'RowExpr' in lexpr && 'RowExpr' in rexpr)
        lexpr.RowExpr.args?.forEach((arg, i) => this.#equate(arg, rexpr.RowExpr.args?.[i]))
      else this.#equate(lexpr, rexpr)
      return
    }
    const column = this.#nameOf(lexpr)
    if (column === null || column === one) return
    const items = rexpr && 'List' in rexpr ? rexpr.List.items : undefined
    if (kind === 'AEXPR_OP_ANY') this.#equals.join(column, many)
    if (kind === 'AEXPR_IN' && items) this.#equals.join(column, items.length === 1 && items.every(isFixed) ? one : many)
  }

  finish(): Level {
    for (const condition of this.#conditions) this.#read(condition)
    const ties: [string, Tie][] = [
      [one, 'one'],
      [many, 'many'],
      [outer, 'outer'],
    ]
    for (const relation of this.relations) {
      const root = this.#equals.rootOf(relation.alias)
      relation.tie = ties.find(([name]) => this.#equals.rootOf(name) === root)?.[1] ?? 'none'
    }
    return this.relations
  }
}

function namesOf(clause: WithClause | undefined, scope: Scope): Scope {
  let inner = scope
  for (const node of clause?.ctes ?? []) {
    if (!('CommonTableExpr' in node)) continue
    const { ctename = '', ctequery } = node.CommonTableExpr
    const next: Scope = { ...inner, names: new Set([...inner.names, ctename]) }
    eachQuery(ctequery, query => readQuery(query, clause?.recursive ? next : inner))
    inner = next
  }
  return inner
}

function readQuery(query: Query, outside: Scope) {
  const { withClause, ...parts } = query
  const scope = namesOf(withClause, outside)
  const { larg, rarg, ...rest } = parts as SelectStmt
  if (larg && rarg) for (const side of [larg, rarg]) readQuery(side, scope)
  eachQuery(rest, inner => readQuery(inner, scope))
  const level = new LevelReader(scope)
  const { relation, fromClause, usingClause, whereClause, cols, selectStmt } = parts as UpdateStmt &
    DeleteStmt &
    SelectStmt &
    InsertStmt
  if (relation && !cols && !selectStmt) level.addTable(relation)
  for (const node of [...(fromClause ?? []), ...(usingClause ?? [])]) level.addFrom(node)
  level.addCondition(whereClause)
  if (level.relations.length) scope.found.push(level.finish())
}

/** The levels of a statement, inner ones first, with how the column ties each relation. `carries` tells which tables have it. */
export function levelsOf(statement: Node, column: string, carries: (table: string) => boolean): Level[] {
  const found: Level[] = []
  eachQuery({ statement }, query => readQuery(query, { column, carries, names: new Set(), found }))
  return found
}
