import { Segment } from '#client/ui/forms/segment.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { SetupMode } from '../../draft/wizard-state.ts'
import { modeWords } from '../wizard/words.ts'

interface StepHeadProps {
  hint: string
  /** Says what the mode means. */
  explain: boolean
  mode: SetupMode
  onMode: (mode: SetupMode) => void
  onLeave: () => void
}

/** What stands on top of every sheet: what is done here, the setup mode, the way out. */
export const StepHead = ({ hint, explain, mode, onMode, onLeave }: StepHeadProps) => (
  <div className="step-head">
    <div className="step-head-row">
      <Segment
        label="Setup mode"
        value={mode}
        onChange={onMode}
        options={[
          { value: 'SMART', label: 'Smart' },
          { value: 'GUIDED', label: 'Guided' },
        ]}
      />
      <Button onClick={onLeave}>Back to Dashboard</Button>
    </div>
    <p className="muted small">
      {hint}. {explain && modeWords[mode]}
    </p>
  </div>
)
