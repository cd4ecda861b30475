const drawings = new Map<string, { viewBox: string; inner: string }>()

function read(icon: string) {
  const cached = drawings.get(icon)
  if (cached) return cached
  const svg = decodeURIComponent(icon.slice(icon.indexOf(',') + 1))
  const inner = svg.replace(/^.*?<svg[^>]*>/s, '').replace(/<\/svg>\s*$/, '')
  const drawing = { viewBox: /viewBox=['"]([^'"]+)/.exec(svg)?.[1] ?? '0 0 512 512', inner }
  drawings.set(icon, drawing)
  return drawing
}

/**
 * One of the icons of `ionicons/icons` (they are data addresses), drawn inline and in the text's colour; this spares
 * the ion-icon element. Hidden from screen readers unless it has a label.
 */
export function Icon({ icon, label }: { icon: string; label?: string }) {
  const { viewBox, inner } = read(icon)
  const naming = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  // The markup comes from the icon package at build time, never from data.
  return <svg className="icon ionicon" viewBox={viewBox} {...naming} dangerouslySetInnerHTML={{ __html: inner }} />
}
