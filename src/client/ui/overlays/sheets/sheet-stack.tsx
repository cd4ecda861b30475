import { usePageTitle } from '../../ionic/use-page-focus.ts'
import { useWide } from '../../shell/use-wide.ts'
import { SheetColumn } from './sheet-column.tsx'
import { SheetPile } from './sheet-pile.tsx'
import type { SheetStackProps } from './sheet-steps.ts'

/** Steps as sheets, each rising over the last one, whose edge still shows; from 768 px a centred column with its summary. */
export function SheetStack(props: SheetStackProps) {
  usePageTitle(props.name)
  return useWide() ? <SheetColumn {...props} /> : <SheetPile {...props} />
}
