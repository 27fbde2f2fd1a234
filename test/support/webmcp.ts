import type { Page } from 'playwright-core';

/** What Chromium is started with so that its pages have `document.modelContext`. */
export const WEBMCP = '--enable-features=WebMCP';

/** What a tool answers (MCP CallToolResult). */
export interface ToolResult<Content = Record<string, unknown>> {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Content;
  readonly isError: boolean;
}

export const toolsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>('document.modelContext.getTools().then((tools) => tools.map(({ name }) => name).sort())');

export const toolsCount = async (page: Page, count: number): Promise<void> => {
  await page.waitForFunction(`document.modelContext.getTools().then(({ length }) => length === ${count})`);
};

export const runTool = async <Content = Record<string, unknown>>(
  page: Page,
  name: string,
  input: object,
): Promise<ToolResult<Content>> => {
  const answer = await page.evaluate<string>(
    `document.modelContext.getTools().then((tools) => {
      const tool = tools.find(({ name }) => name === ${JSON.stringify(name)});
      if (!tool) throw new Error('the page offers no tool ${name}');
      return document.modelContext.executeTool(tool, ${JSON.stringify(input)});
    })`,
  );
  return JSON.parse(answer) as ToolResult<Content>;
};
