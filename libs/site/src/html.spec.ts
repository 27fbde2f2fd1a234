import { html } from './html.js';

describe('a template of markup', () => {
  it('escapes text, in elements as in attributes', () => {
    const name = `<b onclick='x("1")'> & co`;
    expect(html`<p title="${name}">${name}</p>`.text).toBe(
      '<p title="&lt;b onclick=&#39;x(&quot;1&quot;)&#39;&gt; &amp; co">&lt;b onclick=&#39;x(&quot;1&quot;)&#39;&gt; &amp; co</p>',
    );
  });

  it('takes markup and lists of markup as they are, and leaves nothing for null and false', () => {
    const items = ['a', '<'].map((item) => html`<b>${item}</b>`);
    expect(html`<i>${items}</i>${null}${false}${0}`.text).toBe('<i><b>a</b><b>&lt;</b></i>0');
  });

  it('does not escape twice', () => {
    expect(html`<p>${html`${'&'}`}</p>`.text).toBe('<p>&amp;</p>');
  });
});
