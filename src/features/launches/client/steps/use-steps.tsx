import { type ReactNode, useId, useMemo, useState } from 'react'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import type { SheetStep } from '#client/ui/overlays/sheets/sheet-stack.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import { strategies } from '#features/recommendations/contract.ts'
import { hasProgress, hasProgressBeyondTemplate } from '../../draft/rules.ts'
import type { SetupMode } from '../../draft/wizard-state.ts'
import { type Template, templateOf, templates } from '../../templates.ts'
import { saveMode } from '../draft/draft-store.ts'
import { firstView } from '../products/available-products.tsx'
import { ReviewStep } from '../review/review-step.tsx'
import { SettingsStep } from '../settings/settings-step.tsx'
import { modeNames, strategyLabels, wizardStepLabels } from '../wizard/labels.ts'
import { diagramOfTemplate } from '../wizard/structure-preview.ts'
import type { StepProps } from './step-parts.tsx'
import { TargetingStep } from './targeting-step.tsx'

type StepsProps = Omit<StepProps, 'shop'> & { go: (step: number) => void; onLeave: () => void }

/** The five sheets; the same array until their content changes. */
export function useSteps({ state, dispatch, messages, market, budget, go, onLeave }: StepsProps): readonly SheetStep[] {
  const shop = useShop()
  const [view, setView] = useState(firstView)
  return useMemo(() => {
    // Both reset the wizard, after a question when input would be lost.
    const changeMode = async (mode: SetupMode): Promise<void> => {
      if (mode === state.setupMode || (hasProgress(state) && !(await confirmReset('Change the setup mode?')))) return
      saveMode(mode)
      dispatch({ type: 'modeChosen', mode })
      go(1)
    }
    const changeTemplate = async (template: Template): Promise<void> => {
      if (template === state.template) return
      const isReset = state.template !== null && hasProgressBeyondTemplate(state)
      if (isReset && !(await confirmReset('Change the template?'))) return
      dispatch({ type: 'templateChosen', template })
    }
    const common = { state, dispatch, market, messages, budget, shop }
    const contents: ReactNode[] = [
      <TemplateStep key="t" state={state} error={messages['template']} onTemplate={changeTemplate} />,
      <ChoiceCards
        key="s"
        legend="Bidding strategy"
        value={state.strategy}
        error={messages['strategy']}
        onChange={strategy => dispatch({ type: 'fieldsSet', fields: { strategy } })}
        options={strategies.map(value => {
          const { name, hint } = strategyLabels[value]
          return { value, label: name, hint }
        })}
      />,
      <SettingsStep key="c" {...common} />,
      <TargetingStep key="g" {...common} view={view} onView={setView} />,
      <ReviewStep key="r" {...common} go={go} />,
    ]
    return wizardStepLabels.map(({ title, hint }, index) => ({
      key: title,
      title,
      content: (
        <>
          <StepHead
            hint={index === 0 ? `${hint}. ${modeHints[state.setupMode]}` : `${hint}.`}
            mode={state.setupMode}
            onMode={changeMode}
            onLeave={onLeave}
          />
          {contents[index]}
        </>
      ),
    }))
  }, [state, dispatch, messages, market, budget, shop, view, go, onLeave])
}

function confirmReset(title: string): Promise<boolean> {
  return confirm({
    title,
    message: 'This resets everything you have entered, and you start again at step 1.',
    confirmText: 'Reset and change',
    tone: 'danger',
  })
}

const modeHints = {
  SMART:
    'Smart: Tideline takes the marketplace’s recommended keywords, targets and bids. You can check everything at review.',
  GUIDED: 'Guided: you choose keywords, targets and bids yourself, with recommendations to help you.',
} as const

function StepHead(props: { hint: string; mode: SetupMode; onMode: (mode: SetupMode) => void; onLeave: () => void }) {
  const { hint, mode, onMode, onLeave } = props
  return (
    <div className="step-head">
      <div className="step-head-row">
        <Segment
          label="Setup mode"
          value={mode}
          onChange={onMode}
          options={[
            { value: 'SMART', label: modeNames.SMART },
            { value: 'GUIDED', label: modeNames.GUIDED },
          ]}
        />
        <Button onClick={onLeave}>Back to Dashboard</Button>
      </div>
      <p className="muted small">{hint}</p>
    </div>
  )
}

const groups = { FUNNEL: 'Funnels', KEYWORD: 'Keyword campaigns', TARGET: 'Product targeting' } as const
const templatesOf = (family: string) =>
  templates.map(value => ({ value, ...templateOf(value) })).filter(template => template.family === family)

export function TemplateStep(
  props: Pick<StepProps, 'state'> & { error: string | undefined; onTemplate: (template: Template) => void },
) {
  const { state, error, onTemplate } = props
  const id = useId()
  return (
    <>
      {error && (
        <p className="field-error" role="alert" id={id}>
          {error}
        </p>
      )}
      {Object.entries(groups).map(([family, legend]) => (
        <fieldset
          key={family}
          className="choices templates"
          data-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
        >
          <legend>{legend}</legend>
          {templatesOf(family).map(({ value, name, hint }) => (
            <label key={value} className="choice template">
              <input
                type="radio"
                name="template"
                value={value}
                checked={state.template === value}
                onChange={() => onTemplate(value)}
              />
              <span>
                <strong>{name}</strong>
                <small>{hint}</small>
                <TemplateDiagram template={value} mode={state.setupMode} />
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </>
  )
}

function TemplateDiagram({ template, mode }: { template: Template; mode: SetupMode }) {
  const { campaigns, choice } = diagramOfTemplate(template, mode)
  return (
    <>
      <span className="diagram">
        <span className="visually-hidden">
          {choice && 'Up to '}
          {campaigns.length} {campaigns.length === 1 ? 'campaign' : 'campaigns'}:{' '}
          {campaigns.map(c => `${c.title} (${c.groups.join(', ')})`).join('; ')}
        </span>
        {campaigns.map((campaign, i) => (
          <span key={`${campaign.title} ${i}`} className="diagram-campaign" aria-hidden="true">
            <b>{campaign.title}</b>
            {campaign.groups.map(group => (
              <i key={group}>{group}</i>
            ))}
          </span>
        ))}
      </span>
      {choice && <small className="diagram-choice">{choice}</small>}
    </>
  )
}
