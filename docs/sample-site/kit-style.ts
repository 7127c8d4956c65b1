/** The custom CSS of the sample site's kit. Its colours follow the reader's scheme, and a global colour `deep` where the kit has one. */
export const kitStyle = `
selector {
  --paper: #f8f4ea; --card: #fffdf8; --ink: #23302d; --soft: #56615c; --line: #ddd3bf; --accent: #9c3d1c; --deep: var(--e-global-color-deep, #1f4a43); --on-deep: #f4efe2; --button: var(--e-global-color-deep, #1f4a43);
  --site-back: var(--paper); --site-card: var(--card); --site-text: var(--ink); --site-soft: var(--soft); --site-line: var(--line);
  --site-link: var(--accent); --site-mark: #f6e3c2;
  color-scheme: light; background: var(--paper); color: var(--ink);
}
@media (prefers-color-scheme: dark) {
  selector {
    --paper: #14191a; --card: #1d2425; --ink: #e9e4d8; --soft: #a9b2ac; --line: #364041; --accent: #f0a37d; --deep: color-mix(in srgb, var(--e-global-color-deep, #1f4a43) 65%, #0d1414); --on-deep: #efe9da; --button: color-mix(in srgb, var(--e-global-color-deep, #1f4a43) 80%, #6fae9f);
    --site-mark: #453619; color-scheme: dark;
  }
  selector .letter-picture img, selector .letter-card img, selector .letter-topic img, selector .letter-gallery img { filter: brightness(.86); }
}
selector a { color: var(--accent); }
selector .builder :is(h1, h2, h3) { margin: 0; line-height: 1.15; letter-spacing: -.015em; text-wrap: balance; }
selector .letter-hero h1, selector .letter-section h1 { font-size: clamp(2.3rem, 1.5rem + 3.6vw, 4rem); font-weight: 700; }
selector .letter-title h2 { font-size: clamp(1.6rem, 1.3rem + 1.4vw, 2.2rem); }
selector .letter-small h2 { font: 600 1rem/1.4 var(--site-sans); letter-spacing: 0; }
selector .builder p { margin: 0; }
selector .letter-lead p { font-size: 1.15em; color: var(--soft); max-width: 38em; }
selector .letter-kicker p { font: 600 .85rem/1.4 var(--site-sans); color: var(--accent); }
selector .letter-top { border-block-end: 1px solid var(--line); max-width: none; }
selector .letter-top > .e-con-inner { row-gap: 4px; align-items: center; }
selector .letter-name { width: auto; flex: 0 0 auto; }
selector .letter-nav { width: auto; flex: 0 1 auto; margin-inline-start: auto; }
@media (max-width: 767px) { selector .letter-nav { margin-inline-start: 0; } }
selector main > .builder > .e-con:not([class*="letter-"]) { padding: 56px 24px; }
selector main > .builder > .e-con + .e-con:not([class*="letter-"]) { padding-block-start: 0; }
selector .letter-section > .e-con-inner > .letter-title + .letter-lead { margin-block-start: -16px; }
selector .letter-buttons { justify-content: flex-start; }
selector .letter-name :is(div, a) { font-size: 1.35rem; font-weight: 700; letter-spacing: -.02em; color: inherit; text-decoration: none; }
selector .letter-menu ul { display: flex; flex-wrap: wrap; gap: 4px 22px; justify-content: flex-end; margin: 0; padding: 0; list-style: none; font: 1rem/1.4 var(--site-sans); }
@media (max-width: 767px) { selector .letter-menu ul { justify-content: flex-start; gap: 0 18px; } }
selector .letter-menu a { display: inline-block; padding: 8px 0; color: var(--ink); text-decoration: none; }
selector .letter-menu a:hover { text-decoration: underline; }
selector .builder-icon-list-item::after { display: none; }
selector .letter-links ul { margin: 0; padding: 0; list-style: none; font: .95rem/1.5 var(--site-sans); display: grid; gap: 2px; }
selector .letter-links a { display: inline-block; padding: 4px 0; color: inherit; }
selector .letter-picture img { display: block; width: 100%; border-radius: 10px; box-shadow: 0 18px 40px -22px rgb(0 0 0 / .45); }
selector .builder-button { display: inline-block; padding: 13px 22px; border: 1px solid var(--button); border-radius: 6px; background: var(--button); color: var(--on-deep); font: 600 1rem/1.2 var(--site-sans); text-decoration: none; cursor: pointer; }
selector .builder-button:hover { filter: brightness(1.15); }
selector .is-quiet .builder-button { background: transparent; border-color: var(--ink); color: var(--ink); }
selector .is-light .builder-button { background: var(--on-deep); border-color: var(--on-deep); color: #17332f; }
selector .letter-buttons > * { width: auto; flex: none; }
selector .letter-card { height: 100%; border: 1px solid var(--line); border-radius: 10px; background: var(--card); overflow: hidden; }
selector .letter-card-picture img { display: block; width: 100%; aspect-ratio: 3/2; object-fit: cover; }
selector .letter-card h3 { font-size: 1.35rem; }
selector .letter-card h3 a { color: inherit; text-decoration: none; }
selector .letter-card h3 a:hover { text-decoration: underline; }
selector .letter-card-text p { color: var(--soft); }
selector .letter-card-facts ul { display: flex; flex-wrap: wrap; gap: 0 14px; margin: 0; padding: 0; list-style: none; font: .88rem/1.5 var(--site-sans); color: var(--soft); }
selector .letter-card-facts a { color: inherit; }
selector .letter-gauge { max-width: none; background: var(--deep); color: var(--on-deep); }
selector .letter-fact { border-inline-start: 3px solid #d9a35c; }
selector .letter-fact h3 { font-size: 2rem; font-variant-numeric: tabular-nums; }
selector .letter-topic img { display: block; width: 100%; aspect-ratio: 4/3; object-fit: cover; border-radius: 8px; }
selector .letter-topic .builder-image-box-wrapper { text-align: start; }
selector .letter-topic .builder-image-box-img { width: 100%; margin: 0 0 14px; }
selector .letter-topic h3 { font-size: 1.2rem; }
selector .letter-topic h3 a { color: inherit; }
selector .letter-topic p { color: var(--soft); }
selector .letter-price { height: 100%; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
selector .letter-price h3 { font-size: 1.9rem; }
selector .letter-price ul { margin: 0; padding-inline-start: 1.1em; }
selector .letter-price .builder-button-wrapper { margin-block-start: auto; }
selector .letter-quote .builder-testimonial-wrapper { text-align: start; }
selector .letter-quote .builder-testimonial-content { font-size: clamp(1.5rem, 1.2rem + 1.4vw, 2.1rem); line-height: 1.3; font-style: italic; }
selector .letter-quote .builder-testimonial-details { font: .95rem/1.5 var(--site-sans); color: var(--soft); }
selector .letter-questions details { border-block-end: 1px solid var(--line); }
selector .letter-questions summary { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 14px 0; cursor: pointer; background: none; border: 0; list-style: none; }
selector .letter-questions summary::after { content: "+"; font: 1.4rem/1 var(--site-sans); color: var(--accent); }
selector .letter-questions details[open] summary::after { content: "–"; }
selector .letter-questions summary h3 { font-size: 1.1rem; }
selector .letter-questions details > .e-con { padding: 0 0 16px; }
selector .builder-progress-wrapper { background: var(--line); border-radius: 99px; overflow: hidden; }
selector .builder-progress-bar { background: var(--button); color: var(--on-deep); height: 26px; line-height: 26px; font: 600 .85rem/26px var(--site-sans); }
selector .builder-widget-progress .builder-title { font: 600 1rem/1.4 var(--site-sans); margin-block-end: 6px; }
selector .letter-gallery figcaption { padding: 8px 0 0; font: .9rem/1.4 var(--site-sans); color: var(--soft); text-align: start; }
selector .letter-gallery img { display: block; width: 100%; aspect-ratio: 3/2; object-fit: cover; border-radius: 8px; }
@media (max-width: 1024px) { selector .letter-gallery .gallery { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (max-width: 479px) { selector .letter-gallery .gallery { grid-template-columns: minmax(0, 1fr); } }
selector .letter-form label { font: 600 .95rem/1.4 var(--site-sans); padding-block-end: 4px; }
selector .letter-form .builder-field-textual { min-height: 46px; padding: 10px 14px; border: 1px solid var(--soft); border-radius: 6px; background: var(--card); color: var(--ink); }
selector .letter-form .builder-field-subgroup label { font-weight: 400; }
selector .letter-form .e-form__buttons .builder-button { width: auto; }
selector .letter-bottom { max-width: none; background: var(--deep); color: var(--on-deep); font-size: .95rem; }
selector .letter-bottom a { color: inherit; }
selector .letter-search form { max-width: 30rem; }
selector .letter-search .builder-search-form__container { background: rgb(255 255 255 / .12); border: 1px solid rgb(255 255 255 / .35); border-radius: 6px; min-height: 46px; }
selector .letter-search input { color: inherit; }
selector .letter-search input::placeholder { color: inherit; opacity: .85; }
selector .letter-search button { background: var(--on-deep); color: #17332f; font: 600 .95rem var(--site-sans); }
selector .letter-fine p { font-size: .85rem; opacity: .85; }
selector .letter-buttons > .e-con-inner { justify-content: flex-start; }
`
  .replaceAll('\n', ' ')
  .trim()
