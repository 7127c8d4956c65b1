/**
 * The verbs that the lint of comments knows, in their plain form; a missing one is added here. `ALSO_NOUNS` occur as nouns
 * too ("the lists of a page", "lists the pages"): they count as verbs only where their neighbours show it.
 */
const words = (text: string) => text.trim().split(/\s+/)

export const VERBS = words(`
  abort abut accept accompany act adapt add adjust adopt affect allocate allow announce appear append apply approve arise
  arrange arrive ask assert assign assume attach authenticate authorize avoid await backfill bear become begin behave belong
  bind blend bring build cancel capture carry cascade choose claim cleanse clear climb coerce collect collide combine come
  compare compile compose compress compute concern confirm confuse connect consider consist consume contain continue
  contradict convert correspond create crop deactivate decide declare decline decode decompress decrypt define delegate
  delete deliver demand demote deny depart depend derive descend describe deserve destroy detach detect determine deviate
  die differ differentiate disable disagree disappear discard disclose disconnect discover dismiss dispatch disregard
  dissolve distinguish distribute divide draw drive earn eat elect eliminate embed emit emulate enable enclose encode encounter
  encourage encrypt enforce ensure enter enumerate erase establish evaluate evict exceed exclude execute exhaust exist
  expand expect expire explain expose express extend extract fail fall fetch fill find finish fit flatten flush forbid
  forget forgive freeze fulfil gather generate get give go grant greet grow guarantee handle hang happen have hear help hide
  hinder hold hurt identify ignore imitate implement impose improve include indicate infer inform inherit initiate inject
  insert inspect install instantiate instruct intend intercept interpret interrupt introduce invalidate invent invoke
  involve isolate iterate join judge justify keep know lack land lead learn leave lend lengthen let listen lose maintain
  make manage matter mean meet memoize mend mention merge migrate mimic mislead miss moderate mistype modify multiply mutate negate
  normalize notify obey observe obtain occupy occur omit optimize outlive overflow overlap override overtake overwrite parse
  pause pay perform permit persist pick populate postpone precede precompute predict prefer prepare prepend preserve press
  pretend prevent proceed produce prohibit promote propagate protect prove provide prune publish pull push put qualify quit
  raise reach rebuild recall receive recognise recognize recompute reconnect reconstruct recover recreate redraw reduce
  refer refill refresh refuse regain register reject relate release reload rely remain remap remediate remember remind
  remove rename render reopen reorder repair replace repopulate represent reproduce require rescale resemble reserve reset
  reshape resize resolve respond restart restore restrict resubmit resume retain rethrow retire retry reuse reveal revert
  revise revive revoke rise rotate sanitize satisfy save say see seek seem select send serialize serve settle shift shorten
  show shrink shut simulate sit skip solve sort sound spare spawn speak specify spell spend spread stall start stay steal
  stop stretch strip submit subscribe substitute subtract succeed suffer suffice suggest sum summarise supply support
  suppose suppress surround survive suspend swallow swap sweep take teach tear tell tend terminate think throw tolerate
  touch transfer transform translate travel traverse treat trim truncate try typeset understand undo unescape unify unite
  unlock unpack unregister unset unwrap update upgrade use validate vanish vary verify violate wait walk want warn weaken
  weigh widen win withdraw withhold withstand wrap write yield
`)

export const ALSO_NOUNS = words(`
  access address bound advance agree amount anchor answer archive balance batch beat block break browse bundle bypass call catch
  cause center centre chain change chase check chunk clean close colour comment commit complete condition conflict control
  copy correct cost count cover crash cross cut damage deal default delay design digest display double drain drop echo edit
  empty end equal escape excerpt exchange exercise exit export face feed filter fire fix flag flip float flow focus fold
  follow force form format forward frame free function gain group guess hand hash head heading highlight hint hit host
  import increase increment index inline issue jump kill label last lay level lie lift light limit line link list live load
  lock log look loop map mark mask match measure mirror mount move name narrow need nest notice number object offer open
  order own pack page pair park part pass patch pin pipe place plan play plug point poll prefix preview print process
  profile program prompt purge query question queue quote rank rate read record redirect repeat reply report request rest
  result return reverse review rewrite roll round route rule run sample scale scan score screen scroll seal search seed
  sense separate set shape share side sign signal size slice slide slot snap space split stack stamp stand state stem step
  store stream stress style suit surface switch tag target taste test text thread tie time title total trace track trade
  trash trigger trust turn type value view visit wake warm wash waste watch wish word work worry wound zoom
`)

/** Forms that say by themselves that a sentence has a verb, beside the third person of VERBS. */
export const FORMS = words(`
  is are was were isn't aren't wasn't weren't has have hasn't haven't had do does did don't doesn't didn't can could cannot can't
  may might must mustn't shall should will would won't it's that's there's
  became began broke brought came chose did drew fell flew forgot found gave got grew held kept knew led lost met paid ran rose
  said sat saw sent sought spent spoke stood threw took went woke won wore wrote
`)
