/** Declarations of @ionic/react that stay together: their names, where they stand in the file, what they mention. */
export interface IonicModule {
  id: string
  names: string[]
  spans: [from: number, to: number][]
  refs: Set<string>
}
interface Import {
  source: string
  imported: string
}
/** A node of the parsed file; only the members read here. */
interface Syntax {
  type: string
  start: number
  end: number
  name?: string
  kind?: string
  id?: Syntax | null
  source?: { value: string } | null
  declarations?: { id: Syntax }[]
  specifiers?: { type: string; local: { name: string }; imported?: { name: string }; exported?: { name: string } }[]
}

function identifiersIn(node: unknown, found = new Set<string>()): Set<string> {
  if (!node || typeof node !== 'object') return found
  const { type, name } = node as Partial<Syntax>
  if ((type === 'Identifier' || type === 'JSXIdentifier') && name) found.add(name)
  for (const child of Object.values(node)) identifiersIn(child, found)
  return found
}

/** Sorts the top-level statements of @ionic/react into modules that can be loaded one by one. */
export function readModules(statements: readonly unknown[], code: string) {
  const imports = new Map<string, Import>()
  const owner = new Map<string, IonicModule>()
  const exported = new Map<string, string>()
  const reexports: string[] = []
  const loose: IonicModule[] = []
  const reassigned: string[] = []

  for (const statement of statements as Syntax[]) {
    if (statement.type === 'ImportDeclaration') readImport(statement, imports)
    else if (statement.type === 'ExportNamedDeclaration' && statement.source)
      reexports.push(code.slice(statement.start, statement.end))
    else if (statement.type === 'ExportNamedDeclaration')
      for (const s of statement.specifiers ?? []) exported.set(s.exported?.name ?? s.local.name, s.local.name)
    else {
      const module = readDeclaration(statement)
      if (statement.kind === 'let') reassigned.push(...module.names)
      if (module.names.length === 0) loose.push(module)
      for (const name of module.names) owner.set(name, module)
    }
  }
  // A reassigned binding cannot cross modules, so all code that uses it stays in its module.
  for (const name of reassigned)
    for (const module of new Set(owner.values())) if (module.refs.has(name)) merge(owner, need(owner, name), module)
  // A statement without a name follows the declaration that it registers: the last one it mentions.
  for (const module of loose)
    merge(
      owner,
      need(
        owner,
        [...module.refs].toReversed().find(ref => owner.has(ref)),
      ),
      module,
    )

  return { imports, owner, exported, reexports, byId: new Map([...new Set(owner.values())].map(m => [m.id, m])) }
}

function need(owner: Map<string, IonicModule>, name: string | undefined): IonicModule {
  const module = name === undefined ? undefined : owner.get(name)
  if (!module) throw new Error('@ionic/react holds a top-level statement that belongs to no declaration')
  return module
}

function readImport(statement: Syntax, imports: Map<string, Import>): void {
  for (const s of statement.specifiers ?? []) {
    const named = s.type === 'ImportDefaultSpecifier' ? 'default' : (s.imported?.name ?? s.local.name)
    const imported = s.type === 'ImportNamespaceSpecifier' ? '*' : named
    imports.set(s.local.name, { source: statement.source?.value ?? '', imported })
  }
}

function readDeclaration(statement: Syntax): IonicModule {
  const variables = statement.declarations?.flatMap(declaration => [...identifiersIn(declaration.id)])
  const names = variables ?? (statement.id?.name ? [statement.id.name] : [])
  return { id: names[0] ?? '', names, spans: [[statement.start, statement.end]], refs: identifiersIn(statement) }
}

function merge(owner: Map<string, IonicModule>, into: IonicModule, from: IonicModule): void {
  if (into === from) return
  into.names.push(...from.names)
  into.spans.push(...from.spans)
  into.spans.sort((a, b) => a[0] - b[0])
  for (const ref of from.refs) into.refs.add(ref)
  for (const name of from.names) owner.set(name, into)
}
