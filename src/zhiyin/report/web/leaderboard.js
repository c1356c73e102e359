// Rows by the column that is chosen: first down, then up; what is empty stands last.
"use strict";
for (const table of document.querySelectorAll("table.board")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => head.firstElementChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const worth = row => row.cells[place].dataset.v;
    const order = (a, b) => {
      const [x, y] = [worth(a), worth(b)];
      if (x === "" || y === "") return (x === "") - (y === "");
      const [p, q] = [Number(x), Number(y)];
      const ahead = Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : q - p;
      return down ? ahead : -ahead;
    };
    body.append(...[...body.rows].sort(order));
  }));
}
