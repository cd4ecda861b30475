import { crc32 } from 'node:zlib'

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org'
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (text: string): string =>
  `${header}<Relationships xmlns="${office}/package/2006/relationships">${text}</Relationships>`
const part = (name: string, type: string): string =>
  `<Override PartName="${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
function cell(value: string | number | null): string {
  if (value === null) return '<c/>'
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  return `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
}

/** An archive without compression: enough for the one reader that unpacks it. */
function archive(files: readonly (readonly [name: string, text: string])[]): Buffer {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const [name, text] of files) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)]
    // Version 2.0, no flags, stored, the first day that the format knows.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x21, 8)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(path.length, 22)
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), facts, path, data)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    entries.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), facts, place, path)
    offset += 30 + path.length + data.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** A workbook of one sheet. */
export function workbook(rows: readonly (readonly (string | number | null)[])[]): Buffer {
  const sheet = rows.map(row => `<row>${row.map(cell).join('')}</row>`).join('')
  const main = `xmlns="${office}/spreadsheetml/2006/main"`
  return archive([
    [
      '[Content_Types].xml',
      `${header}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('/xl/workbook.xml', 'sheet.main')}${part('/xl/worksheets/sheet1.xml', 'worksheet')}</Types>`,
    ],
    ['_rels/.rels', relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `${header}<workbook ${main} xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relations(relation('rId1', 'worksheet', 'worksheets/sheet1.xml'))],
    ['xl/worksheets/sheet1.xml', `${header}<worksheet ${main}><sheetData>${sheet}</sheetData></worksheet>`],
  ])
}
