/*
 * The end of connecting an agent: hands the authorization server's answer to the page that asked, over a channel that
 * only this origin hears, and closes the window once that page has it. A code in the address would stay in the history.
 */
(() => {
  'use strict';

  const answer = location.search;
  history.replaceState(null, '', location.pathname);
  const channel = new BroadcastChannel('alcada-conectar');
  channel.onmessage = ({ data }) => {
    if (data.received === new URLSearchParams(answer).get('state')) window.close();
  };
  channel.postMessage({ answer });
})();
